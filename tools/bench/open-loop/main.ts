import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '../../dev/home.ts';
import { treeProcessorMs, residentMegabytes } from '../process-usage.ts';
import { run } from '../run.ts';
import type { OnEnd } from '../run.ts';
import { fullBlogs } from './blogs.ts';
import { startGenerator } from './generator-child.ts';
import type { Generator } from './generator-child.ts';
import type { Pace } from './generator.ts';
import { formatAttempt, formatOperations, formatTrends } from './report.ts';
import type { Attempt } from './report.ts';
import { findRate } from './search.ts';
import { watchMemory } from './soak.ts';
import type { MemoryTrend } from './soak.ts';
import { costliestStatements, formatStatements, resetStatements } from './statements.ts';
import { startStack } from './stack.ts';
import type { LoadStack } from './stack.ts';

const USAGE = `npm run bench:load -- [--apis 1,2] [--workers 1] [--rate N] [--seconds 8] [--soak 10m] [--statements] [--data FOLDER] [--json FILE]
  finds the rate of mixed traffic at which p99 of reads stays under 50 ms, with one API process and with two
  --apis        the numbers of API processes that are compared
  --workers N   the number of worker processes
  --rate N      tries this rate alone
  --seconds N   how long a rate is tried; the one that is found, for three times as long
  --soak TIME   at --rate for so long (90s, 10m, 1h) after two minutes of warming up, with the memory of API and worker
  --statements  the statements that cost PostgreSQL most
  --data FOLDER keeps what was seeded, for the next run`;

/** The limit for reads, at p99. */
const LIMIT_MS = 50;
const FIRST_RATE = 200;
const WARM_UP_MS = 2_000;
const LONGER = 3;
/** The pause between two rates, for follow-up work of the previous one. */
const PAUSE_MS = 2_000;
const SOAK_RATE = 300;
const SOAK_WARM_UP_MS = 120_000;

interface Options {
  readonly apis: readonly number[];
  readonly workers: number;
  readonly rate: number | null;
  readonly measureMs: number;
  readonly soakMs: number | null;
  readonly statements: boolean;
  readonly data: string | undefined;
  readonly json: string | undefined;
}

/** @throws StartError with the usage */
function readOptions(): Options {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      options: {
        apis: text,
        workers: text,
        rate: text,
        seconds: text,
        soak: text,
        statements: { type: 'boolean' },
        data: text,
        json: text,
      },
    });
    const soak = values.soak === undefined ? null : durationMs(values.soak);
    const options = {
      apis: (values.apis ?? (soak === null && values.rate === undefined ? '1,2' : '1'))
        .split(',')
        .map(Number),
      workers: Number(values.workers ?? 1),
      rate: values.rate === undefined ? null : Number(values.rate),
      measureMs: Number(values.seconds ?? 8) * 1_000,
      soakMs: soak,
      statements: values.statements ?? false,
      data: values.data,
      json: values.json,
    };
    const rising = options.apis.every((count, index) => count > (options.apis[index - 1] ?? 0));
    const whole = [...options.apis, options.workers].every((count) => Number.isInteger(count) && count > 0);
    if (!rising || !whole || !(options.measureMs > 0) || !((options.rate ?? 1) > 0))
      throw new StartError(USAGE);
    return options;
  } catch {
    throw new StartError(USAGE);
  }
}

function durationMs(text: string): number {
  const [, amount, unit] = /^(\d+)(s|m|h)$/.exec(text) ?? [];
  if (amount === undefined) throw new StartError(USAGE);
  return Number(amount) * { s: 1_000, m: 60_000, h: 3_600_000 }[unit as 's' | 'm' | 'h'];
}

async function main(onEnd: OnEnd): Promise<number> {
  const options = readOptions();
  const home =
    options.data === undefined ? mkdtempSync(join(tmpdir(), 'presswork-load-')) : resolve(options.data);
  mkdirSync(home, { recursive: true });
  if (options.data === undefined) onEnd(async () => rmSync(home, { recursive: true, force: true }));
  const begun = Date.now();
  const { statements: counting, workers } = options;
  const stack = await startStack(home, { size: fullBlogs, counting, workers }, onEnd);
  const generator = await startGenerator(stack.blogs, stack.apis[0]?.origin ?? '');
  onEnd(() => generator.stop());
  console.log(`ready after ${((Date.now() - begun) / 1_000).toFixed(0)} s`);
  if (options.statements) await resetStatements(stack.databaseUrl);

  const bests: Attempt[] = [];
  let trends: readonly MemoryTrend[] = [];
  for (const apis of options.apis) {
    while (stack.apis.length < apis) await stack.addApi();
    if (options.soakMs !== null) {
      const soaked = await soak(stack, generator, options.rate ?? SOAK_RATE, options.soakMs);
      bests.push(soaked.attempt);
      trends = soaked.trends;
    } else {
      const best = await search(stack, generator, options, bests.at(-1)?.rate ?? FIRST_RATE);
      if (best !== null) bests.push(best);
    }
  }
  for (const best of bests) console.log(`\n${formatAttempt(best)}\n\n${formatOperations(best)}`);
  if (trends.length > 0) console.log(`\n${formatTrends(trends)}`);
  const [one, ...more] = bests;
  for (const other of more)
    console.log(
      `\n${other.apis} API processes reach ${(other.rate / (one?.rate ?? 1)).toFixed(2)} × the rate of ${one?.apis}`,
    );
  if (options.statements) console.log(`\n${formatStatements(await costliestStatements(stack.databaseUrl))}`);
  for (const { operations } of bests)
    for (const { name, firstError } of operations)
      if (firstError !== null) console.error(`${name}: ${firstError}`);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ bests, trends }, null, 2)}\n`);
  return bests.length === options.apis.length &&
    bests.every(({ reads, writes }) => reads.errors + writes.errors === 0)
    ? 0
    : 1;
}

/** @param first the first rate to try. @returns the measurement at the highest rate that held, or null */
async function search(
  stack: LoadStack,
  generator: Generator,
  options: Options,
  first: number,
): Promise<Attempt | null> {
  const attempt = async (rate: number, longer: boolean): Promise<Attempt> => {
    const measureMs = options.measureMs * (longer ? LONGER : 1);
    const made = await measure(stack, generator, { rate, warmUpMs: WARM_UP_MS, measureMs });
    console.log(formatAttempt(made));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return made;
  };
  if (options.rate !== null) return attempt(options.rate, true);
  return (await findRate(first, attempt)).best;
}

async function soak(stack: LoadStack, generator: Generator, rate: number, measureMs: number) {
  const origins = stack.apis.map(({ origin }) => origin);
  await generator.pace(origins, { rate, warmUpMs: 0, measureMs: SOAK_WARM_UP_MS });
  const processes = [
    ...stack.apis.map((api, index) => ({ name: `API ${index + 1}`, ...api })),
    ...stack.workers.map((worker, index) => ({ name: `worker ${index + 1}`, ...worker })),
  ];
  const { result, trends } = await watchMemory(processes, () =>
    measure(stack, generator, { rate, warmUpMs: 0, measureMs }),
  );
  return { attempt: result, trends };
}

async function measure(stack: LoadStack, generator: Generator, pace: Pace): Promise<Attempt> {
  const used = (): Readonly<Record<string, number>> => ({
    ...stack.processorMs(),
    generator: treeProcessorMs(generator.pid) ?? 0,
  });
  const [before, begun] = [used(), Date.now()];
  const paced = await generator.pace(
    stack.apis.map(({ origin }) => origin),
    pace,
  );
  const [after, tookMs] = [used(), Date.now() - begun];
  const { reads, writes, overloaded } = paced;
  return {
    ...paced,
    apis: stack.apis.length,
    held: !overloaded && reads.p99 < LIMIT_MS && reads.errors + writes.errors === 0,
    cores: Object.fromEntries(
      Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? 0)) / tookMs]),
    ),
    apiMegabytes: stack.apis.reduce((sum, { pid }) => sum + (residentMegabytes(pid) ?? 0), 0),
  };
}

run(main);
