import type { CDPSession, Page } from 'playwright-core';

/** What a page keeps, once when some rows have been loaded, and once when all have. */
export interface Scrolled {
  readonly rows: number;
  readonly before: Kept;
  readonly after: Kept;
}

interface Kept {
  readonly rows: number;
  readonly heapMegabytes: number;
  /** Elements and texts in the document. */
  readonly nodes: number;
}

/** The first rows load code as well, which is not measured. */
const SOME = 500;
const TIMEOUT_MS = 600_000;

/** Loads rows of a list by scrolling and its button, as a person does. */
export async function scrollThrough(page: Page, address: string, rows: number): Promise<Scrolled> {
  await page.goto(address);
  await page.locator('tbody a').first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await loadRows(page, SOME);
  const before = { rows: SOME, ...(await kept(session)) };
  await loadRows(page, rows);
  const after = { rows, ...(await kept(session)) };
  await session.detach();
  return { rows, before, after };
}

async function loadRows(page: Page, rows: number): Promise<void> {
  const until = Date.now() + TIMEOUT_MS;
  const more = page.getByRole('button', { name: 'Load more' });
  while ((await rowsLoaded(page)) < rows) {
    if (Date.now() > until) throw new Error(`${rows} rows were not loaded in ${TIMEOUT_MS} ms`);
    await more.scrollIntoViewIfNeeded();
    await more.click();
  }
}

/** The number of the last row, which is on the page at the end of the list. */
const rowsLoaded = (page: Page): Promise<number> =>
  page.evaluate<number>(`(async () => {
    scrollTo(0, document.documentElement.scrollHeight);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return Number([...document.querySelectorAll('tbody tr[aria-rowindex]')].at(-1)?.ariaRowIndex ?? 1) - 1;
  })()`);

async function kept(session: CDPSession): Promise<Omit<Kept, 'rows'>> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? 0;
  return { heapMegabytes: of('JSHeapUsedSize') / 1e6, nodes: of('Nodes') };
}
