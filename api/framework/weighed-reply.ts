import { getHeapStatistics } from 'node:v8';
import type { Site } from '../../domain/kernel/site.ts';
import { PAGE_BYTES } from '../../domain/kernel/weighed-page.ts';
import type { WeighedPage } from '../../domain/kernel/weighed-page.ts';
import { ByteBudget } from '../http/byte-budget.ts';
import type { Reply } from './reply.ts';

/** Memory for pages that are being read. Each counts with its maximum size, since the actual size is not known yet. */
const pages = new ByteBudget({
  total: Math.max(2 * PAGE_BYTES, getHeapStatistics().heap_size_limit / 8),
  perClient: 1 / 2,
  waitMs: 10_000,
});

const comma = Buffer.from(',');

/**
 * A page of a list whose items may be large. Limits the pages that are read at once, in total and for each Site.
 *
 * @throws ServiceError MAINTENANCE if other pages hold all the memory
 */
export async function weighedPage({ id }: Site, read: () => Promise<WeighedPage>): Promise<Reply> {
  const release = await pages.take(id, PAGE_BYTES);
  try {
    const { items, nextCursor } = await read();
    const joined = items.flatMap((item, index) => (index === 0 ? [item] : [comma, item]));
    const end = `],"next_cursor":${JSON.stringify(nextCursor)}}}`;
    return {
      status: 200,
      bytes: Buffer.concat([Buffer.from('{"data":{"items":['), ...joined, Buffer.from(end)]),
    };
  } finally {
    release();
  }
}
