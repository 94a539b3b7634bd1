import type { Approval, Presswork } from '../../../sdk/src/index.ts';

const PAGE = 100;
const MOST_PAGES = 5;
/** A request expires after a day, so that none that waits is older. */
const A_DAY_MS = 24 * 60 * 60_000;

interface Waiting {
  readonly items: readonly Approval[];
  readonly next_cursor: string | null;
}

/** The requests that wait for a decision, newest first, from the newest 500 of the last day. */
export async function loadWaiting(
  presswork: Presswork,
  cursor: string | undefined,
  options: { signal: AbortSignal },
): Promise<Waiting> {
  const oldest = Date.now() - A_DAY_MS;
  const items: Approval[] = [];
  let next: string | null = cursor ?? null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: Waiting = await presswork.approvals.list(
      { limit: PAGE, ...(next !== null && { cursor: next }) },
      options,
    );
    items.push(...page.items.filter(({ status }) => status === 'pending'));
    next = page.next_cursor;
    const last = page.items.at(-1);
    if (last === undefined || Date.parse(last.created_at) < oldest) next = null;
    if (next === null) break;
  }
  return { items, next_cursor: next };
}
