import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Comment } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { TextInput, Textarea } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import styles from './reply-dialog.module.css';
import { screenTexts } from './text.ts';

export interface ReplyDialogProps {
  readonly comment: Comment;
  readonly onClose: () => void;
}

/** Answers a comment as the Site. Readers see an answer only below an approved comment. */
export function ReplyDialog({ comment, onClose }: ReplyDialogProps): ReactNode {
  const { reply: text } = useText(screenTexts);
  const { name: siteName } = useSite();
  const [body, setBody] = useState('');
  const [name, setName] = useState(siteName);
  const waits = comment.status !== 'approved';
  const change = useChange({
    send: async (presswork, input: { body: string; author_name: string }, { idempotencyKey }) => {
      if (waits) await presswork.comments.approve(comment.id);
      return presswork.comments.replyTo(comment.id, input, { idempotencyKey });
    },
    touches: ['comments'],
    done: () => text.done,
    onDone: onClose,
    errors: 'here',
  });
  const close = (): void => {
    if (body === '' || window.confirm(text.discard)) onClose();
  };
  return (
    <Dialog opened onClose={close} title={text.title(comment.author_name)} size="lg" closesOutside={false}>
      <blockquote className={styles.quote} dir="auto">
        {comment.body}
      </blockquote>
      <Form
        onSubmit={() => change.mutate({ body, author_name: name })}
        error={change.error}
        isDirty={body !== '' && !change.isSuccess}
        actions={
          <FormButtons isPending={change.isPending} onCancel={close}>
            {waits ? text.approveAndSend : text.send}
          </FormButtons>
        }
      >
        {waits && <p className={styles.note}>{text.pending}</p>}
        <Textarea
          label={text.label}
          dir="auto"
          autosize
          minRows={4}
          maxRows={14}
          maxLength={5_000}
          data-autofocus
          value={body}
          onChange={({ currentTarget }) => setBody(currentTarget.value)}
          {...fieldError(change.error, 'body')}
        />
        <TextInput
          label={text.name}
          dir="auto"
          maxLength={100}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          {...fieldError(change.error, 'author_name')}
        />
      </Form>
    </Dialog>
  );
}
