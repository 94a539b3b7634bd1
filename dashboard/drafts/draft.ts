/** Text that the API does not have yet, kept on this device. */
export interface Draft<Kept> {
  /** Of the tab that made it: two tabs of one article never write over each other's. */
  readonly id: string;
  /** The owner, a person: others who use the browser do not get it. */
  readonly place: string;
  /** Unix time in milliseconds. */
  readonly keptAt: number;
  readonly bytes: number;
  readonly kept: Kept;
}

/** The facts of a draft without reading its text. */
export type DraftSize = Pick<Draft<unknown>, 'id' | 'keptAt' | 'bytes'>;

export const placeOf = (accountEmail: string, siteId: string, articleId: string | null): string =>
  JSON.stringify([accountEmail, siteId, articleId]);

/** The bounds of the store on a device. */
export const MOST_DRAFTS = 50;
export const MOST_BYTES = 50_000_000;
export const LONGEST_MS = 30 * 86_400_000;

/** The drafts that are too old, and the oldest of too many or too much. The newest always stays. */
export function toForget(sizes: readonly DraftSize[], now: number): string[] {
  const newestFirst = sizes.toSorted((a, b) => b.keptAt - a.keptAt);
  let bytes = 0;
  return newestFirst
    .filter((size, index) => {
      bytes += size.bytes;
      const isTooOld = now - size.keptAt > LONGEST_MS;
      return isTooOld || (index > 0 && (index >= MOST_DRAFTS || bytes > MOST_BYTES));
    })
    .map(({ id }) => id);
}
