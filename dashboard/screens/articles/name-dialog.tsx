import { useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Modal, TextInput } from '../../ui/controls.ts';
import { Form, FormButtons } from '../../ui/form.tsx';
import { viewTexts } from './view-text.ts';

export interface NameDialogProps {
  readonly onClose: () => void;
  readonly onName: (name: string) => void;
}

/** Asks for the name of a view. */
export function NameDialog({ onClose, onName }: NameDialogProps): ReactNode {
  const text = useText(viewTexts);
  const [name, setName] = useState('');
  return (
    <Modal opened onClose={onClose} title={text.title} centered>
      <Form
        onSubmit={() => name.trim() !== '' && onName(name.trim())}
        actions={
          <FormButtons disabled={name.trim() === ''} onCancel={onClose}>
            {text.saveNow}
          </FormButtons>
        }
      >
        <TextInput
          label={text.name}
          description={text.about}
          data-autofocus
          dir="auto"
          maxLength={60}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Form>
    </Modal>
  );
}
