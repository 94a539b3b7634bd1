import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Modal, TextInput } from '../../ui/controls.ts';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import { actionTexts } from './action-text.ts';

export interface ScheduleDialogProps {
  readonly onClose: () => void;
  /** @param at a wall time of the Site, as the API takes it */
  readonly onSchedule: (at: string) => void;
  readonly isPending: boolean;
  readonly error: unknown;
}

/** Asks for the time of publication. The API decides whether the time exists and is in the future. */
export function ScheduleDialog({ onClose, onSchedule, isPending, error }: ScheduleDialogProps): ReactNode {
  const { timezone } = useSite();
  const text = useText(actionTexts);
  const [at, setAt] = useState('');
  return (
    <Modal opened onClose={onClose} title={text.scheduleTitle} centered>
      <Form
        onSubmit={() => onSchedule(at)}
        error={error}
        actions={
          <FormButtons isPending={isPending} disabled={at === ''} onCancel={onClose}>
            {text.scheduleNow}
          </FormButtons>
        }
      >
        <TextInput
          type="datetime-local"
          label={text.scheduleAt}
          description={text.scheduleZone(timezone)}
          data-autofocus
          value={at}
          onChange={({ currentTarget }) => setAt(currentTarget.value)}
          {...fieldError(error, 'scheduled_publish_at')}
        />
      </Form>
    </Modal>
  );
}
