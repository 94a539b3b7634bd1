import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { retryWithin } from '../../sdk/src/retry.ts';
import { eventually } from '../support/eventually.ts';
import { violations } from './support/invariants.ts';
import type { Product, ProcessName } from './support/product.ts';
import { recovery } from './support/recovery.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

/**
 * A constant rate on two APIs and two workers, while one process after another is killed. `npm run bench:soak` sets how
 * long; by default it is five minutes.
 */
const MINUTES = Number(process.env['SOAK_MINUTES'] || '5');
const KILL_EVERY_MS = Number(process.env['SOAK_KILL_EVERY'] || '15') * 1_000;
const RATE = Number(process.env['SOAK_RATE'] || '40');
const DURATION_MS = MINUTES * 60_000;
/** The deadline of a request is the SDK's own. Tries are not counted: a busy machine is slow to start a process. */
const retry = retryWithin({ maxRetries: Infinity, maxElapsedMs: 120_000 });
const ANSWERED = 0.9999;

let stack: Stack;
let products: readonly [Product, Product];
beforeAll(async () => {
  stack = await startStack({ doubled: true, pace: { rate: RATE }, retry });
  products = [stack.product, stack.second as Product];
}, 300_000);
afterAll(() => stack.close());

interface Fault {
  readonly name: string;
  readonly inject: () => Promise<void>;
}

/** What the supervisors have to say about the processes that this test ended, and about no others. */
const ended: string[] = [];

async function end(product: Product, name: ProcessName, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  ended.push(`${name} ended (${signal === 'SIGKILL' ? signal : 'exit code 0'})`);
  await product.end(name, signal);
}

const kill = (of: 0 | 1, process: ProcessName): Fault => ({
  name: `kill -9 of ${of === 0 ? '' : 'the second '}${process}`,
  inject: () => end(products[of], process, 'SIGKILL'),
});

const kills = [
  kill(0, 'api'),
  kill(1, 'worker'),
  kill(0, 'PostgreSQL'),
  kill(1, 'api'),
  kill(0, 'worker'),
  kill(0, 'Temporal'),
  kill(0, 'S3'),
];

const everything: Fault = {
  name: 'kill -9 of all seven at once',
  inject: async () => void (await Promise.all(kills.map(({ inject }) => inject()))),
};

/** Each process ends gracefully, and the next one follows once it is back. */
const deploy: Fault = {
  name: 'rolling deploy',
  async inject() {
    for (const product of products)
      for (const name of ['api', 'worker'] as const) {
        await end(product, name, 'SIGTERM');
        await eventually(`the ${name} is back`, () => product.pid(name) !== undefined);
        await ready();
      }
  },
};

const ready = (): Promise<void> =>
  eventually('both APIs are ready', async () =>
    (await Promise.all(products.map((product) => product.isReady()))).every(Boolean),
  );

/** One in each interval: kills in turn, the deploy in the middle, and everything at once after three quarters. */
function faults(): Fault[] {
  const count = Math.floor(DURATION_MS / KILL_EVERY_MS) - 1;
  const all = Array.from({ length: count }, (_, index) => kills[index % kills.length] as Fault);
  return all.with(count >> 1, deploy).with((count * 3) >> 2, everything);
}

/** By fault, the milliseconds until both APIs, a read, a write, a publication and its delivery worked. */
const recoveries = new Map<string, number[]>();

async function soak(): Promise<void> {
  const begun = Date.now();
  for (const [index, { name, inject }] of faults().entries()) {
    await sleep(Math.max(0, begun + (index + 1) * KILL_EVERY_MS - Date.now()));
    const from = Date.now();
    await inject();
    await ready();
    await recovery(stack);
    recoveries.set(name, [...(recoveries.get(name) ?? []), Date.now() - from]);
  }
  await sleep(Math.max(0, begun + DURATION_MS - Date.now()));
}

/** Prints the tables of docs/capacity.md. */
function report(seconds: number): void {
  const { counts, latencies } = stack.client;
  const figures: readonly [string, string | number][] = [
    ['answered', counts.answered],
    ['a second', (counts.answered / seconds).toFixed(1)],
    ['before the SDK gives up, after 120 s', `${(100 * answeredInTime()).toFixed(3)} %`],
    ['by more than the five retries of its default', counts.pastDefault],
    ['repeated without an Idempotency-Key', counts.keyless],
    ['tries without an answer', counts.disconnected],
    ['tries answered 503, 429 or in flight', counts.unavailable],
    ['p50, p99, longest', [50, 99, 100].map((p) => `${latencies.percentile(p)} ms`).join(', ')],
  ];
  const times = [...recoveries].map(([name, each]) => {
    const sorted = each.toSorted((a, b) => a - b).map((ms) => `${(ms / 1_000).toFixed(1)} s`);
    return [name, sorted.length, sorted[sorted.length >> 1], sorted.at(-1)];
  });
  const line = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`;
  const lines = [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${RATE} requests a second for ${MINUTES} min, a fault every ${KILL_EVERY_MS / 1_000} s:`,
    '',
    line(['Requests', '']),
    line(['---', '--:']),
    ...figures.map(line),
    '',
    line(['Fault', 'times', 'until all works again, median', 'longest']),
    line(['---', '--:', '--:', '--:']),
    ...times.map(line),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

function answeredInTime(): number {
  const { answered, givenUp } = stack.client.counts;
  return 1 - givenUp / answered;
}

/** Without it, a power cut would lose what a kill does not. */
async function requireSync(): Promise<void> {
  const { rows } = await stack.db.pool.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')`,
  );
  expect(rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
}

test(
  'processes are killed in turn and all at once, and all are deployed anew, under a constant rate',
  async () => {
    const { load } = stack;
    await requireSync();
    const begun = Date.now();
    load.start();
    await soak();
    await load.stop();
    report((Date.now() - begun) / 1_000);
    expect(await violations(stack)).toEqual([]);
    const died = products.flatMap((product) => product.deaths());
    expect(died.map((line) => line.replace(/\).*/, ')')).toSorted()).toEqual(ended.toSorted());
    expect(answeredInTime()).toBeGreaterThanOrEqual(ANSWERED);
  },
  DURATION_MS + 15 * 60_000,
);
