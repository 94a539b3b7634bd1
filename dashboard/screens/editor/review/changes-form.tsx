import { useState } from 'react';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/change.ts';
import { useText } from '../../../text/texts.ts';
import { Textarea } from '../../../ui/controls.ts';
import { fieldError, Form, FormButtons } from '../../../ui/form.tsx';
import { reviewTexts } from './text.ts';

export interface ChangesFormProps {
  readonly articleId: string;
  readonly onClose: () => void;
}

/** Asks the author for changes, which ends the review. */
export function ChangesForm({ articleId, onClose }: ChangesFormProps): ReactNode {
  const text = useText(reviewTexts);
  const [note, setNote] = useState('');
  const send = useChange({
    send: (presswork, body: { note: string }) => presswork.articles.requestReviewChanges(articleId, body),
    touches: ['reviews'],
    errors: 'here',
    done: () => text.changesAsked,
    onDone: onClose,
  });
  return (
    <Form
      onSubmit={() => send.mutate({ note })}
      error={send.error}
      actions={
        <FormButtons isPending={send.isPending} disabled={note.trim() === ''} onCancel={onClose}>
          {text.requestChanges}
        </FormButtons>
      }
    >
      <Textarea
        label={text.changes}
        required
        maxLength={2_000}
        rows={3}
        dir="auto"
        data-autofocus
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        {...fieldError(send.error, 'note')}
      />
    </Form>
  );
}
