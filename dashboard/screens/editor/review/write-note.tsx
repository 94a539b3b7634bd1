import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Note } from '../../../../sdk/src/index.ts';
import { useChange } from '../../../api/change.ts';
import { useOthers } from '../../../content/people.ts';
import { isolated } from '../../../text/isolated.ts';
import { useText } from '../../../text/texts.ts';
import { Button, MultiSelect, Textarea } from '../../../ui/controls.ts';
import { fieldError, Form, FormButtons } from '../../../ui/form.tsx';
import { useSession } from '../article/use-article.ts';
import { afterSaving } from '../article/after-saving.ts';
import { selected } from './place.ts';
import type { Selected } from './place.ts';
import { noteTexts, reviewTexts } from './text.ts';

export interface WriteNoteProps {
  readonly articleId: string;
  /** The note that it replies to. */
  readonly to?: Note;
  readonly onClose?: () => void;
}

/** As many as a note may mention. */
const MOST_MENTIONS = 20;

type Written = { body: string; parent_id: string | null; mention_ids: string[] } & Partial<Selected>;

/** A new note, about what is selected in the text; or a reply. */
export function WriteNote({ to, onClose }: WriteNoteProps): ReactNode {
  const text = useText(noteTexts);
  const { saveFirst } = useText(reviewTexts);
  const session = useSession();
  const [body, setBody] = useState('');
  const [about, setAbout] = useState<Selected | null>(null);
  const [mentioned, setMentioned] = useState<string[]>([]);
  const people = useOthers();
  const write = useChange({
    send: (presswork, note: Written, options) =>
      // The quote is looked for in the saved text.
      afterSaving(session, saveFirst, (id) => presswork.articles.createNote(id, note, options)),
    touches: ['notes'],
    errors: 'here',
    onDone: () => {
      setBody('');
      setAbout(null);
      setMentioned([]);
      onClose?.();
    },
  });
  const isEmpty = body.trim() === '';
  const label = to === undefined ? text.write : text.replyTo(isolated(to.author.name));
  return (
    <Form
      onSubmit={() => write.mutate({ body, parent_id: to?.id ?? null, mention_ids: mentioned, ...about })}
      error={write.error}
      actions={
        onClose === undefined ? (
          <Button type="submit" loading={write.isPending} disabled={isEmpty}>
            {text.send}
          </Button>
        ) : (
          <FormButtons isPending={write.isPending} disabled={isEmpty} onCancel={onClose}>
            {text.sendReply}
          </FormButtons>
        )
      }
    >
      <Textarea
        label={label}
        description={to === undefined && (about === null ? text.ofAll : text.about(isolated(about.quote)))}
        maxLength={5_000}
        rows={3}
        dir="auto"
        value={body}
        onFocus={() => to === undefined && setAbout(selected())}
        onChange={({ currentTarget }) => setBody(currentTarget.value)}
        {...fieldError(write.error, 'body')}
      />
      {people.length > 0 && (
        <MultiSelect
          label={text.mention}
          data={[...people]}
          searchable
          comboboxProps={{ withinPortal: false }}
          hidePickedOptions
          maxValues={MOST_MENTIONS}
          nothingFoundMessage={text.nobody}
          value={mentioned}
          onChange={setMentioned}
          {...fieldError(write.error, 'mention_ids')}
        />
      )}
    </Form>
  );
}
