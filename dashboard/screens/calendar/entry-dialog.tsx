import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSite } from '../../api/site.ts';
import { useArticleTitle } from '../../content/article-name.tsx';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Button, TextInput } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, fieldError } from '../../ui/form.tsx';
import { ButtonLink } from '../../ui/links.ts';
import { meaningOf, ownTimeZone, wallTimeOf } from '../../text/wall-time.ts';
import type { WallTime } from '../../text/wall-time.ts';
import styles from './calendar.module.css';
import { isMovable } from './entries.ts';
import type { Entry } from './entries.ts';
import { ChangedMeanwhile, useMove } from './move.ts';
import { moveTexts, screenTexts } from './text.ts';

export interface EntryDialogProps {
  readonly entry: Entry;
  /** The time that the field begins with: that of a drag that needs a word first. */
  readonly wall: WallTime;
  /** Why the drag was refused. */
  readonly refusal: ChangedMeanwhile | null;
  readonly onClose: () => void;
  readonly onMoved: (entry: Entry) => void;
}

/** When an article is or was published, on both clocks, and the way to another time. */
export function EntryDialog(props: EntryDialogProps): ReactNode {
  const { entry: opened, wall, refusal, onClose, onMoved } = props;
  const { id: siteId, timezone, rights } = useSite();
  const { untitled, kinds } = useText(screenTexts);
  const text = useText(moveTexts);
  const format = useFormat();
  const move = useMove();
  const error = move.error ?? refusal;
  const [entry, setEntry] = useState(() => asItIsNow(opened, refusal, timezone));
  const submit = (at: WallTime): void =>
    move.mutate(
      { entry, wall: at },
      { onSuccess: () => onMoved(entry), onError: (reason) => setEntry(asItIsNow(entry, reason, timezone)) },
    );
  const mayMove = isMovable(entry) && rights.publishes;
  const isReview = entry.kind === 'review';
  const title = useArticleTitle(entry.articleId, isReview) ?? entry.title;
  const open = (
    <ButtonLink
      variant="default"
      to="/$siteId/articles/$articleId"
      params={{ siteId, articleId: entry.articleId }}
    >
      {text.open}
    </ButtonLink>
  );
  return (
    <Dialog opened onClose={onClose} title={title ?? untitled}>
      <dl className={styles.times}>
        <div>
          <dt>{kinds[entry.kind]}</dt>
          <dd>
            {isReview ? (
              format.date(entry.time, 'UTC')
            ) : (
              <>
                {format.dateTime(entry.time, timezone)} <small>{timezone}</small>
              </>
            )}
          </dd>
        </div>
        {ownTimeZone() !== timezone && !isReview && (
          <div>
            <dt>{text.own}</dt>
            <dd>
              {format.dateTime(entry.time)} <small>{ownTimeZone()}</small>
            </dd>
          </div>
        )}
      </dl>
      {mayMove ? (
        <MoveForm
          entry={entry}
          wall={wall}
          error={error}
          isPending={move.isPending}
          onSubmit={submit}
          open={open}
        />
      ) : (
        open
      )}
    </Dialog>
  );
}

/** After somebody else moved it, the next try starts from there. */
function asItIsNow(opened: Entry, error: Error | null, timezone: string): Entry {
  if (!(error instanceof ChangedMeanwhile) || error.time === null) return opened;
  return { ...opened, time: error.time, wall: wallTimeOf(new Date(error.time), timezone) };
}

interface MoveFormProps extends Pick<EntryDialogProps, 'entry' | 'wall'> {
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onSubmit: (at: WallTime) => void;
  readonly open: ReactNode;
}

function MoveForm({ entry, wall, error, isPending, onSubmit, open }: MoveFormProps): ReactNode {
  const { timezone } = useSite();
  const text = useText(moveTexts);
  const [at, setAt] = useState(wall);
  const { problem, note } = useRemarks(at);
  const submit = (): void => {
    if (problem === null) onSubmit(at);
  };
  const api = fieldError(error, entry.kind === 'edit' ? 'scheduled_at' : 'scheduled_publish_at');
  return (
    <Form
      onSubmit={submit}
      error={error}
      actions={
        <>
          <Button type="submit" loading={isPending} disabled={at === '' || at === entry.wall}>
            {text.move}
          </Button>
          {open}
        </>
      }
    >
      <TextInput
        type="datetime-local"
        label={text.newTime}
        description={text.zone(timezone)}
        data-autofocus
        value={at}
        onChange={({ currentTarget }) => setAt(currentTarget.value)}
        {...api}
        error={at === entry.wall ? api.error : (problem ?? api.error)}
      />
      <p className={styles.remark} aria-live="polite">
        {at !== entry.wall && note}
      </p>
    </Form>
  );
}

/** The note on a time before it is sent. */
function useRemarks(at: WallTime): { problem: string | null; note: string | null } {
  const { timezone } = useSite();
  const text = useText(moveTexts);
  const format = useFormat();
  const meaning = meaningOf(at, timezone);
  if (meaning.kind === 'malformed') return { problem: null, note: null };
  if (meaning.kind === 'never')
    return { problem: text.never(format.dateTime(`${meaning.instead}Z`, 'UTC')), note: null };
  const instant = meaning.kind === 'once' ? meaning.instant : meaning.first;
  if (instant.getTime() <= Date.now()) return { problem: text.past, note: null };
  const own = ownTimeZone() === timezone ? '' : text.ownTime(format.dateTime(instant));
  return { problem: null, note: `${meaning.kind === 'twice' ? text.twice : ''} ${own}`.trim() };
}
