import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Comment } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useSite } from '../../session/site.ts';
import { useText } from '../../text/texts.ts';
import { Button, TextInput, Textarea } from '../../ui/controls.ts';
import { Form, fieldError } from '../../ui/form.tsx';
import { screenTexts } from './text.ts';
import styles from './card.module.css';

/** Answers a comment as the Site. Readers see an answer only below an approved comment. */
export function ReplyForm({
  comment,
  onEnd,
}: {
  readonly comment: Comment;
  readonly onEnd: () => void;
}): ReactNode {
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
    onDone: onEnd,
    errors: 'here',
  });
  return (
    <div className={styles.reply}>
      <Form
        onSubmit={() => change.mutate({ body, author_name: name })}
        error={change.error}
        isDirty={body !== '' && !change.isSuccess}
        actions={
          <>
            <Button type="submit" loading={change.isPending}>
              {waits ? text.approveAndSend : text.send}
            </Button>
            <Button variant="default" onClick={onEnd}>
              {text.cancel}
            </Button>
          </>
        }
      >
        {waits && <p className={styles.note}>{text.pending}</p>}
        <Textarea
          label={text.label}
          dir="auto"
          autosize
          minRows={3}
          maxRows={14}
          maxLength={5_000}
          autoFocus
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
    </div>
  );
}
