import type { CmsAdapter, PushOutcome } from '../../../../domain/cms/adapter.ts';
import { connectionWrite } from '../../../support/connection-write.ts';
import { startPushes } from '../../../support/pushes.ts';
import type { PushStack } from '../../../support/pushes.ts';

const PAGE_BYTES = 8 * 2 ** 20;

let stack: PushStack;
let outcome: PushOutcome;
const adapter: CmsAdapter = { batch: 1, test: async () => '', push: async () => [outcome] };

beforeAll(async () => {
  stack = await startPushes({ http: adapter });
});
afterAll(() => stack.close());

const succeeded = (remoteUrl: string): PushOutcome => ({ status: 'succeeded', remoteUrl, state: {} });
const diverged = (remoteUrl: string): PushOutcome => ({ status: 'diverged', remoteUrl, message: 'Odd.' });
const linkOf = (length: number) => 'https://example.com/'.padEnd(length, 'a');

test.each([
  ['a link', linkOf(2_000), linkOf(2_000)],
  ['a text that is too long for a link', linkOf(2_001), null],
  ['what PostgreSQL cannot store', 'https://example.com/\0\uD800', 'https://example.com/\uFFFD\uFFFD'],
])('%s of the remote is stored if it can be one, and the push ends as it did', async (_, said, shown) => {
  const { id } = await stack.connect(connectionWrite);
  for (const each of [succeeded(said), diverged(said)]) {
    outcome = each;
    const item = await stack.pushed(id, (await stack.publish()).id);
    expect(item).toMatchObject({ status: each.status, remote_url: shown });
  }
});

test('pages of pushes end by weight, and a walk repeats and skips nothing', async () => {
  const { id } = await stack.connect(connectionWrite);
  const { pool } = stack.api.db;
  await pool.query(
    `with p as (
       insert into cms_pushes (id, site_id, connection_id, force, created_at, finished_at)
       select gen_random_uuid(), $1, $2, false, now() - n / 3 * interval '1 minute', now() from generate_series(1, 70) n
       returning id
     )
     insert into cms_push_items (push_id, position, connection_id, article_id, status, remote_url, error)
     select p.id, n, $2, gen_random_uuid(), 'diverged', repeat('ä', 2000), repeat('e', 1000)
     from p, generate_series(1, 100) n`,
    [stack.tenant.siteId, id],
  );
  const { rows } = await pool.query(
    'select id from cms_pushes where site_id = $1 order by created_at desc, id desc',
    [stack.tenant.siteId],
  );
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `/delivery/pushes?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, text, data } = await stack.request('GET', path);
    expect([status, Buffer.byteLength(text) < PAGE_BYTES + 1_000]).toEqual([200, true]);
    ids.push(...data.items.map((push: { id: string }) => push.id));
    cursor = data.next_cursor;
  }
  expect(ids).toEqual(rows.map((row) => row.id));
});
