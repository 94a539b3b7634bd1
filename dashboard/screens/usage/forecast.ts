import type { LedgerEntry, Presswork } from '../../../sdk/src/index.ts';

const DAY_MS = 24 * 60 * 60_000;
const DAYS = 30;
const PAGE = 100;
const MOST_PAGES = 20;

export interface Spending {
  /** Charges less refunds. */
  readonly credits: number;
  /** The days that were looked at: fewer if the Site is younger, or has more changes than are read. */
  readonly days: number;
}

/** The recent spending of a Site, from its ledger. */
export async function readSpending(
  presswork: Presswork,
  siteCreatedAt: string,
  options: { signal: AbortSignal },
  now = Date.now(),
): Promise<Spending> {
  const begin = Math.max(now - DAYS * DAY_MS, Date.parse(siteCreatedAt));
  let credits = 0;
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await presswork.usage.listLedger({ limit: PAGE, cursor }, options);
    const recent = page.items.filter(({ created_at: at }) => Date.parse(at) >= begin);
    credits -= recent.filter(isOfSite).reduce((sum, { amount }) => sum + amount, 0);
    const last = page.items.at(-1);
    const isAll = recent.length < page.items.length || page.next_cursor === null || last === undefined;
    if (isAll) return { credits, days: daysSince(begin, now) };
    if (pages === MOST_PAGES) return { credits, days: daysSince(Date.parse(last.created_at), now) };
    cursor = page.next_cursor ?? undefined;
  }
}

const isOfSite = ({ kind }: LedgerEntry): boolean => kind === 'charge' || kind === 'refund';

const daysSince = (begin: number, now: number): number => Math.max(1, Math.ceil((now - begin) / DAY_MS));

/** How many days a balance lasts, or null if nothing is spent. */
export const lasting = (balance: number, { credits, days }: Spending): number | null =>
  credits <= 0 ? null : Math.floor(Math.max(0, balance) / (credits / days));
