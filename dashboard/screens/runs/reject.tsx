import { useState } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { Textarea } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldError, Form, FormButtons } from '../../ui/form.tsx';
import { stepTexts } from './step-text.ts';

/** Does something before and after an action, such as saving. */
export type Around = (act: () => PromiseLike<unknown>) => PromiseLike<unknown>;

export interface RejectProps {
  readonly articleId: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly around: Around;
}

/** Takes an article out of the pipeline, with a reason for the team. */
export function Reject({ articleId, title, onClose, around }: RejectProps): ReactNode {
  const text = useText(stepTexts);
  const [reason, setReason] = useState('');
  const reject = useChange({
    send: (presswork, body: { reason: string | null }) =>
      around(() => presswork.pipeline.rejectArticle(articleId, body)),
    touches: ['runs', 'articles'],
    errors: 'here',
    done: () => text.rejected,
    onDone: onClose,
  });
  return (
    <Dialog opened onClose={onClose} title={text.rejectTitle(title)}>
      <Form
        onSubmit={() => reject.mutate({ reason: reason.trim() === '' ? null : reason.trim() })}
        error={reject.error}
        actions={
          <FormButtons isPending={reject.isPending} onCancel={onClose}>
            {text.reject}
          </FormButtons>
        }
      >
        <p>{text.rejectAbout}</p>
        <Textarea
          label={text.reason}
          maxLength={2_000}
          rows={3}
          dir="auto"
          data-autofocus
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          {...fieldError(reject.error, 'reason')}
        />
      </Form>
    </Dialog>
  );
}
