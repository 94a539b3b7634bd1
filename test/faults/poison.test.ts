import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.ts';
import { survives } from './support/survive.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

/** Temporal accepts ids of at most 1,000 characters. */
const TOO_LONG = `poison-${'x'.repeat(2_000)}`;

/** Rows that can never be handed over: kind, workflow id, payload. */
const poison: readonly [kind: string, workflowId: string, payload: unknown][] = [
  ['approval', TOO_LONG, { approvalId: randomUUID(), siteId: randomUUID(), signal: 'asked' }],
  ['scheduled-publish', TOO_LONG, { articleId: randomUUID(), siteId: randomUUID(), signal: 'reschedule' }],
  ['scheduled-publish', 'poison-empty', {}],
  ['scheduled-publish', 'poison-null', null],
  ['pipeline-run', 'poison-text', 'no object at all'],
  [
    'upload-reservation',
    'poison-signal',
    { uploadId: randomUUID(), siteId: randomUUID(), signal: 'unknown' },
  ],
  ['of a later version', 'poison-kind', { id: randomUUID() }],
];

const rows = async (): Promise<{ attempts: number; last_error: string | null; wait: number }[]> =>
  (
    await stack.db.pool.query(
      `select attempts, last_error, extract(epoch from available_at - now())::float8 as wait from outbox
       where workflow_id like 'poison%' order by id`,
    )
  ).rows;

test('messages that can never be handed over delay no others, are retried with growing pauses, and are reported', async () => {
  await survives(stack, 'poison in the outbox', async () => {
    // Due before everything else.
    for (const [kind, workflowId, payload] of poison)
      await stack.db.pool.query(
        `insert into outbox (kind, workflow_id, payload, created_at, available_at)
         values ($1, $2, $3, now() - interval '1 minute', now() - interval '1 minute')`,
        [kind, workflowId, JSON.stringify(payload)],
      );
    const areTried = async (): Promise<boolean> => (await rows()).every(({ attempts }) => attempts >= 5);
    await eventually('each is tried five times', areTried, 200);
  });
  const left = await rows();
  expect(left).toHaveLength(poison.length);
  for (const { attempts, last_error: error, wait } of left) {
    // 200 ms, doubled each time: five tries take 6 s, and fifty would take most of an hour.
    expect(attempts).toBeGreaterThanOrEqual(5);
    expect(attempts).toBeLessThan(12);
    expect(error).toEqual(expect.stringMatching(/./));
    expect(wait).toBeLessThanOrEqual(60);
  }
  const answer = await fetch(`${stack.product.origin}/readyz`);
  const { data } = (await answer.json()) as { data: { outbox: Record<string, number> } };
  expect([answer.status, data.outbox]).toEqual([200, expect.objectContaining({ failing: poison.length })]);
});
