import { PressworkError } from '../../../sdk/src/index.ts';
import type { Presswork } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { isPressworkError } from '../../api/queries.ts';
import { useSite } from '../../session/site.ts';
import { useFormat } from '../../text/format.ts';
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

/** Schedules an article, or the edit of one, for another time; it stands there before the answer, and back if that refuses. */
export function useMove() {
  const { timezone } = useSite();
  const text = useText(moveTexts);
  const { untitled } = useText(screenTexts);
  const format = useFormat();
  return useChange({
    send: async (presswork, { entry, wall }: Move) => {
      const changed = new PressworkError('CONFLICT', text.changed(entry.title ?? untitled), { status: 409 });
      // Scheduling takes no If-Match: what somebody else did meanwhile is looked for instead.
      if ((await timeNow(presswork, entry)) !== entry.time) throw changed;
      try {
        return await schedule(presswork, entry, wall);
      } catch (error) {
        throw isPressworkError(error) && (error.status === 409 || error.status === 404) ? changed : error;
      }
    },
    touches: ['articles'],
    optimistic: ({ entry, wall }, show) => {
      const meaning = meaningOf(wall, timezone);
      const instant =
        meaning.kind === 'once' ? meaning.instant : meaning.kind === 'twice' ? meaning.first : null;
      if (instant !== null) show<object>('articles', (read) => withTime(read, entry, instant.toISOString()));
    },
    done: (time, { entry }) => text.moved(entry.title ?? untitled, format.dateTime(time, timezone)),
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
