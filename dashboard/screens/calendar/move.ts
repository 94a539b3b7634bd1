import { PressworkError } from '../../../sdk/src/index.ts';
import type { Presswork } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { isPressworkError } from '../../api/queries.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { isolated } from '../../text/isolated.ts';
import { useText } from '../../text/texts.ts';
import { meaningOf } from '../../text/wall-time.ts';
import type { WallTime } from '../../text/wall-time.ts';
import type { Entry } from './entries.ts';
import { moveTexts, screenTexts } from './text.ts';

export interface Move {
  readonly entry: Entry;
  /** On the clock of the Site. */
  readonly wall: WallTime;
}

/** Somebody else moved, published or withdrew it meanwhile. */
export class ChangedMeanwhile extends PressworkError {
  /** When it is scheduled for now; null if it no longer is. */
  readonly time: string | null;

  constructor(message: string, time: string | null) {
    super('CONFLICT', message, { status: 409 });
    this.time = time;
  }
}

/** Schedules an article, or the edit of one, for another time; it stands there before the answer, and back if that refuses. */
export function useMove() {
  const { timezone } = useSite();
  const text = useText(moveTexts);
  const { untitled } = useText(screenTexts);
  const format = useFormat();
  const nameOf = ({ title }: Entry): string => (title === null ? untitled : isolated(title));
  return useChange({
    send: async (presswork, { entry, wall }: Move) => {
      const changed = (now: string | null): ChangedMeanwhile => {
        const title = nameOf(entry);
        const message =
          now === null ? text.withdrawn(title) : text.changed(title, format.dateTime(now, timezone));
        return new ChangedMeanwhile(message, now);
      };
      // Scheduling takes no If-Match: what somebody else did meanwhile is looked for instead.
      const now = await timeNow(presswork, entry);
      if (now !== entry.time) throw changed(now);
      try {
        return await schedule(presswork, entry, wall);
      } catch (error) {
        throw isPressworkError(error) && (error.status === 409 || error.status === 404)
          ? changed(null)
          : error;
      }
    },
    touches: ['articles'],
    optimistic: ({ entry, wall }, show) => {
      const meaning = meaningOf(wall, timezone);
      const instant =
        meaning.kind === 'once' ? meaning.instant : meaning.kind === 'twice' ? meaning.first : null;
      if (instant !== null) show<object>('articles', (read) => withTime(read, entry, instant.toISOString()));
    },
    done: (time, { entry }) => text.moved(nameOf(entry), format.dateTime(time, timezone)),
    errors: 'here',
  });
}

/** When it is scheduled for now; null if it no longer is. */
async function timeNow(presswork: Presswork, { kind, articleId }: Entry): Promise<string | null> {
  try {
    if (kind === 'edit') return (await presswork.articles.getPendingEdit(articleId)).scheduled_at;
    return (await presswork.articles.get(articleId, { fields: ['scheduled_publish_at'] }))
      .scheduled_publish_at;
  } catch (error) {
    if (isPressworkError(error) && error.status === 404) return null;
    throw error;
  }
}

/** @returns the time as the API understood it */
async function schedule(presswork: Presswork, { kind, articleId }: Entry, wall: WallTime): Promise<string> {
  if (kind === 'edit') {
    const edit = await presswork.articles.schedulePendingEdit(articleId, { scheduled_at: wall });
    return edit.scheduled_at ?? '';
  }
  const state = await presswork.articles.schedule(articleId, { scheduled_publish_at: wall });
  return state.scheduled_publish_at ?? '';
}

/** Only what the calendar has read is changed; other screens read again. */
function withTime(read: object, moved: Entry, time: string): object {
  if (!('isCut' in read) || !('items' in read)) return read;
  const items = (read.items as readonly Entry[]).map((entry) =>
    entry.articleId === moved.articleId && entry.kind === moved.kind ? { ...entry, time } : entry,
  );
  return { ...read, items };
}
