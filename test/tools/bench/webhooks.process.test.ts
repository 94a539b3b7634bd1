import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from '../../../tools/bench/seed.ts';
import { measureWebhooks, parts } from '../../../tools/bench/webhooks/measure.ts';
import { formatFigures } from '../../../tools/bench/webhooks/report.ts';
import { startWebhookStack } from '../../../tools/bench/webhooks/stack.ts';
import type { WebhookStack } from '../../../tools/bench/webhooks/stack.ts';
import { createTestDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

const size = {
  smallSites: 7,
  articlesInLarge: 24_000,
  articlesInSmall: 150,
  keysInLarge: 100,
  keysInSmall: 5,
};
const amounts = { measureMs: 2_000, backlog: 500, idlePublishes: 5, outageMs: 1_000 };

describe('the benchmark of webhooks', () => {
  const home = mkdtempSync(join(tmpdir(), 'presswork-bench-test-'));
  const ending: (() => Promise<void>)[] = [];
  let database: TestDatabase;
  let stack: WebhookStack;

  beforeAll(async () => {
    database = await createTestDatabase();
    const seeded = await seed(database.adminUrl, size);
    stack = await startWebhookStack(home, database.url, seeded, [], (end) => ending.push(end));
  });
  afterAll(async () => {
    for (const end of ending.toReversed()) await end();
    await database.drop();
    rmSync(home, { recursive: true, force: true });
  });

  test.each(Object.keys(parts))('%s loses nothing', async (name) => {
    const figures = await measureWebhooks(stack, [name], amounts);
    expect(figures.length).toBeGreaterThan(0);
    expect(figures.filter(({ failed }) => failed)).toEqual([]);
    for (const { value } of figures) expect(value).not.toBeNaN();
  });

  test('the endpoint disabled by the outage was enabled, and got what it missed', async () => {
    const { rows } = await database.db.pool.query(
      `select count(distinct event_id)::int as events from webhook_deliveries where redelivery and status = 'succeeded'`,
    );
    expect(rows[0].events).toBeGreaterThan(0);
  });
});

describe('the report', () => {
  test('shows each figure with its goal, and marks failures', () => {
    const text = formatFigures([
      { part: 'idle', title: 'p99', value: 12.345, unit: 'ms', goal: '<= 50' },
      { part: 'idle', title: 'lost', value: 3, unit: 'of 200', goal: '0', failed: true },
    ]);
    expect(text).toMatch(/idle +p99 +12\.35 +ms +<= 50/);
    expect(text).toMatch(/idle +lost +3 +of 200 +0 – FAILED/);
  });
});
