import { useState } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { TextInput } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import { screenTexts } from './text.ts';

export interface EraseDialogProps {
  /** Null while the dialog is closed; empty if the person types the address. */
  readonly address: string | null;
  readonly onClose: () => void;
}

/** Deletes all comments of an address, after it was typed twice. */
export function EraseDialog({ address, onClose }: EraseDialogProps): ReactNode {
  const { erasing: text } = useText(screenTexts);
  return (
    <Dialog opened={address !== null} onClose={onClose} title={text.title}>
      {address !== null && <EraseForm address={address} onClose={onClose} />}
    </Dialog>
  );
}

function EraseForm({
  address: known,
  onClose,
}: {
  readonly address: string;
  readonly onClose: () => void;
}): ReactNode {
  const { erasing: text } = useText(screenTexts);
  const [address, setAddress] = useState(known);
  const [again, setAgain] = useState('');
  const [differs, setDiffers] = useState(false);
  const change = useChange({
    send: (presswork, input: string) => presswork.comments.erase({ author_email: input }),
    touches: ['comments'],
    done: ({ deleted }) => text.done(deleted),
    onDone: onClose,
    errors: 'here',
  });
  const submit = (): void => {
    const same = again.trim().toLowerCase() === address.trim().toLowerCase();
    setDiffers(!same);
    if (same) change.mutate(address.trim());
  };
  return (
    <Form
      onSubmit={submit}
      error={change.error}
      actions={
        <FormButtons color="red.9" isPending={change.isPending} onCancel={onClose}>
          {text.action}
        </FormButtons>
      }
    >
      <p>{text.about}</p>
      <TextInput
        label={text.address}
        type="email"
        autoComplete="off"
        readOnly={known !== ''}
        data-autofocus={known === '' || undefined}
        value={address}
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
        {...fieldError(change.error, 'author_email')}
      />
      <TextInput
        label={text.again}
        type="email"
        autoComplete="off"
        data-autofocus={known !== '' || undefined}
        value={again}
        onChange={({ currentTarget }) => setAgain(currentTarget.value)}
        error={differs ? text.different : undefined}
      />
    </Form>
  );
}
