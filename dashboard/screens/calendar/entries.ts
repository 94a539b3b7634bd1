import type { Presswork } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { request } from '../../session/request.ts';
import { useSite } from '../../api/site.ts';
import { wallTimeOf } from '../../text/wall-time.ts';
import type { Day } from './days.ts';

/** Something that was or will be published at a time. */
export interface Entry {
  readonly articleId: string;
  readonly kind: 'published' | 'scheduled' | 'edit' | 'review';
  readonly title: string | null;
  /** Of a review, which is due on a day, midnight in UTC. */
  readonly time: string;
  /** On the clock of the Site, `2026-03-29T02:30`. */
  readonly wall: string;
}

interface Read {
  readonly items: readonly Omit<Entry, 'wall'>[];
  /** Whether there were more than are read. */
  readonly isCut: boolean;
}

/** The API lists articles neither by the time they are scheduled for nor from a day on: pages are read up to here. */
const MOST_PAGES = 10;
const PAGE = 100;
const REFRESH_MS = 60_000;

/** What is on the calendar on these days; the scheduled articles of all days, because they can be moved there. */
export function useEntries(days: readonly Day[]) {
  const { id, timezone } = useSite();
  const since = days[0] ?? '';
  const scheduled = useItem({
    key: ['articles', 'calendar', 'scheduled'],
    load: (presswork, options) => readScheduled(presswork, options),
    refreshMs: REFRESH_MS,
  });
  const published = useItem({
    key: ['articles', 'calendar', 'published', since],
    load: (presswork, options) => readPublished(presswork, `${since}T00:00:00Z`, options),
    // A scheduled article that is due now moves from the one to the other.
    refreshMs: days.includes(wallTimeOf(new Date(), timezone).slice(0, 10)) && REFRESH_MS,
  });
  const edits = useItem({
    key: ['articles', 'calendar', 'edits'],
    load: () => readEdits(id),
    refreshMs: REFRESH_MS,
  });
  const reviews = useItem({
    key: ['reviews', 'calendar', since],
    load: (presswork, options) => readReviews(presswork, days, options),
    refreshMs: REFRESH_MS,
  });
  const reads = [scheduled, published, edits, reviews];
  const all = reads.flatMap(({ data }) => data?.items ?? []);
  const shown = new Set(days);
  return {
    entries: all
      .map((entry): Entry => ({ ...entry, wall: wallOf(entry, timezone) }))
      .filter(({ wall }) => shown.has(dayOf({ wall })))
      .toSorted((a, b) => a.time.localeCompare(b.time) || a.articleId.localeCompare(b.articleId)),
    overdue: (scheduled.data?.items ?? []).filter(isOverdue),
    isCut: reads.some(({ data }) => data?.isCut),
    isLoading: scheduled.isPending || published.isPending,
    error: reads.find(({ error }) => error !== null)?.error ?? null,
    reload: (): void => reads.forEach(({ refetch }) => void refetch()),
  };
}

const wallOf = ({ kind, time }: Pick<Entry, 'kind' | 'time'>, timezone: string): string =>
  kind === 'review' ? time.slice(0, 16) : wallTimeOf(new Date(time), timezone);

/** Whether it can be moved to another time. */
export const isMovable = ({ kind }: Pick<Entry, 'kind'>): boolean => kind === 'scheduled' || kind === 'edit';

export const dayOf = ({ wall }: Pick<Entry, 'wall'>): Day => wall.slice(0, 10);

/** Late by less, and the worker is just about to publish it. */
const OVERDUE_MS = 60_000;

export const isOverdue = ({ kind, time }: Pick<Entry, 'kind' | 'time'>): boolean =>
  isMovable({ kind }) && Date.parse(time) + OVERDUE_MS < Date.now();

type Options = { readonly signal: AbortSignal };

async function readScheduled(presswork: Presswork, options: Options): Promise<Read> {
  const items: Omit<Entry, 'wall'>[] = [];
  const query = { status: ['scheduled'], limit: PAGE, fields: ['title', 'scheduled_publish_at'] } as const;
  let pages = 0;
  for await (const page of presswork.articles.list(query, options).pages()) {
    for (const { id, title, scheduled_publish_at: time } of page.items)
      if (time !== null) items.push({ articleId: id, kind: 'scheduled', title, time });
    if ((pages += 1) === MOST_PAGES) return { items, isCut: page.next_cursor !== null };
  }
  return { items, isCut: false };
}

/** The newest ones, back to the first day that is shown. A day earlier, because of the time zone. */
async function readPublished(presswork: Presswork, since: string, options: Options): Promise<Read> {
  const earliest = Date.parse(since) - 86_400_000;
  const items: Omit<Entry, 'wall'>[] = [];
  const query = {
    status: ['published'],
    order: 'published_at.desc',
    limit: PAGE,
    fields: ['title', 'published_at'],
  } as const;
  let pages = 0;
  for await (const page of presswork.articles.list(query, options).pages()) {
    for (const { id, title, published_at: time } of page.items) {
      if (time === null || Date.parse(time) < earliest) return { items, isCut: false };
      items.push({ articleId: id, kind: 'published', title, time });
    }
    if ((pages += 1) === MOST_PAGES) return { items, isCut: page.next_cursor !== null };
  }
  return { items, isCut: false };
}

/** Open reviews that are due on one of the days. */
async function readReviews(presswork: Presswork, days: readonly Day[], options: Options): Promise<Read> {
  const items: Omit<Entry, 'wall'>[] = [];
  const last = days.at(-1) ?? '';
  const query = { state: 'requested', due_before: dayAfter(last), limit: PAGE } as const;
  let pages = 0;
  for await (const page of presswork.reviews.list(query, options).pages()) {
    for (const { article_id: articleId, due_date: due } of page.items)
      if (due !== null && days.includes(due))
        items.push({ articleId, kind: 'review', title: null, time: `${due}T00:00:00Z` });
    if ((pages += 1) === MOST_PAGES) return { items, isCut: page.next_cursor !== null };
  }
  return { items, isCut: false };
}

const dayAfter = (day: Day): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

interface ScheduledEdits {
  readonly edits: readonly {
    readonly article_id: string;
    readonly title: string | null;
    readonly scheduled_at: string;
  }[];
  readonly is_cut: boolean;
}

/** Changes of published articles that have a time. */
async function readEdits(siteId: string): Promise<Read> {
  const { edits, is_cut: isCut } = await request<ScheduledEdits>('GET', `/sites/${siteId}/scheduled-edits`);
  const items = edits.map(({ article_id: articleId, title, scheduled_at: time }): Omit<Entry, 'wall'> => ({
    articleId,
    kind: 'edit',
    title,
    time,
  }));
  return { items, isCut };
}
