interface Page<Row> {
  readonly items: readonly Row[];
  readonly next_cursor: string | null;
}

export interface Narrowing<Row> {
  readonly keep?: (row: Row) => boolean;
  /** Rows come newest first: nothing after the first row that is too old is read. */
  readonly isTooOld?: (row: Row) => boolean;
}

/** So many pages are read in one go; then the person decides by “Load more”. */
const MOST_PAGES = 5;

/**
 * Narrows a list by what the API has no filter for: reads on until there is a row to show.
 *
 * @param load reads the page at a cursor; undefined is the first
 */
export async function narrowed<Row>(
  load: (cursor: string | undefined) => PromiseLike<Page<Row>>,
  cursor: string | undefined,
  { keep = () => true, isTooOld = () => false }: Narrowing<Row>,
): Promise<Page<Row>> {
  for (let at = cursor, pages = 1; ; pages += 1) {
    const { items, next_cursor: next } = await load(at);
    const end = items.findIndex(isTooOld);
    const kept = (end === -1 ? items : items.slice(0, end)).filter(keep);
    const rest = end === -1 ? next : null;
    if (kept.length > 0 || rest === null || pages === MOST_PAGES) return { items: kept, next_cursor: rest };
    at = rest;
  }
}
