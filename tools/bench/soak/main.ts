import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { root } from '../../../runtime/home.ts';
import { StartError } from '../../dev/home.ts';
import { residentMegabytes } from '../process-usage.ts';
import { run } from '../run.ts';
import type { OnEnd } from '../run.ts';
import { fullBlogs } from '../open-loop/blogs.ts';
import type { BlogSize } from '../open-loop/blogs.ts';
import { startGenerator } from '../open-loop/generator-child.ts';
import { aliveMegabytes } from '../open-loop/soak.ts';
import type { Watched } from '../open-loop/soak.ts';
import { startStack } from '../open-loop/stack.ts';
import { report } from './report.ts';
import { appendSample, readSamples, soakedSeconds } from './samples.ts';
import type { Memory, TableSize } from './samples.ts';

const USAGE = `npm run bench:soak -- [--for 6h] [--rate 100] [--data FOLDER] [--warm-up 10m] [--every 60s] [--small] [--report]
  mixed traffic at a constant rate until all runs on the folder have taken so long together: interrupt it, or let the machine
  restart, and run it again; then what memory and tables did
  --for TIME     how long in all (90s, 30m, 6h)
  --rate N       requests a second
  --data FOLDER  what was seeded, and samples.jsonl; the default is .presswork/soak
  --warm-up TIME of each run, left out of the slopes of memory
  --every TIME   between two samples
  --small        a hundredth of the rows
  --report       the report alone`;

const SMALL: BlogSize = { sites: 10, articles: 1_000, comments: 10_000, keys: 100 };

interface Options {
  readonly seconds: number;
  readonly rate: number;
  readonly data: string;
  readonly warmUp: number;
  readonly every: number;
  readonly small: boolean;
  readonly reportOnly: boolean;
}

/** @throws StartError with how it is used */
function readOptions(): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values } = parseArgs({
      options: { for: text, rate: text, data: text, 'warm-up': text, every: text, small: flag, report: flag },
    });
    const rate = Number(values.rate ?? 100);
    if (!(rate > 0)) throw new StartError(USAGE);
    return {
      seconds: secondsOf(values.for ?? '6h'),
      rate,
      data: resolve(values.data ?? join(root, '.presswork/soak')),
      warmUp: secondsOf(values['warm-up'] ?? '10m'),
      every: secondsOf(values.every ?? '60s'),
      small: values.small,
      reportOnly: values.report,
    };
  } catch {
    throw new StartError(USAGE);
  }
}

function secondsOf(text: string): number {
  const [, amount, unit] = /^(\d+)(s|m|h)$/.exec(text) ?? [];
  if (amount === undefined) throw new StartError(USAGE);
  return Number(amount) * { s: 1, m: 60, h: 3_600 }[unit as 's' | 'm' | 'h'];
}

async function main(onEnd: OnEnd): Promise<number> {
  const options = readOptions();
  const file = join(options.data, 'samples.jsonl');
  const left = options.seconds - soakedSeconds(readSamples(file));
  if (!options.reportOnly && left > 0) await soak(options, file, left, onEnd);
  const { text, good } = report(readSamples(file), options.warmUp);
  console.log(`\n${text}`);
  return good ? 0 : 1;
}

/** One piece: as long as it is let, with a sample after each interval. */
async function soak(
  { data, rate, every, small }: Options,
  file: string,
  seconds: number,
  onEnd: OnEnd,
): Promise<void> {
  mkdirSync(data, { recursive: true });
  const stack = await startStack(data, { size: small ? SMALL : fullBlogs }, onEnd);
  const origins = stack.apis.map(({ origin }) => origin);
  const generator = await startGenerator(stack.blogs, origins[0] ?? '');
  onEnd(() => generator.stop());
  const db = new pg.Client(stack.databaseUrl);
  await db.connect();
  onEnd(() => db.end());
  const processes: readonly Watched[] = [
    ...stack.apis.map((api, index) => ({ name: `API ${index + 1}`, ...api })),
    ...stack.workers.map((worker, index) => ({ name: `worker ${index + 1}`, ...worker })),
  ];
  const [piece, begun] = [new Date().toISOString(), performance.now()];
  const elapsed = (): number => (performance.now() - begun) / 1_000;
  console.log(`${(seconds / 3_600).toFixed(2)} h to go, at ${rate}/s`);
  while (elapsed() < seconds) {
    const measureMs = Math.min(every, seconds - elapsed()) * 1_000;
    const { reads, writes } = await generator.pace(origins, { rate, warmUpMs: 0, measureMs });
    appendSample(file, {
      piece,
      seconds: elapsed(),
      memory: Object.fromEntries(
        await Promise.all(processes.map(async (each) => [each.name, await memoryOf(each)] as const)),
      ),
      tables: await readTables(db),
      requests: reads.requests + writes.requests,
      errors: reads.errors + writes.errors,
      p99: reads.p99,
    });
  }
}

const memoryOf = async ({ pid, child }: Watched): Promise<Memory> => ({
  alive: await aliveMegabytes(child),
  resident: residentMegabytes(pid) ?? 0,
});

/** Tables with their indexes; rows as PostgreSQL last counted them. */
async function readTables(db: pg.Client): Promise<Readonly<Record<string, TableSize>>> {
  const { rows } = await db.query<{ name: string; bytes: string; rows: string }>(
    `select relname as name, pg_total_relation_size(relid) as bytes, n_live_tup as rows from pg_stat_user_tables`,
  );
  return Object.fromEntries(
    rows.map(({ name, bytes, rows: count }) => [
      name,
      { megabytes: Number(bytes) / 1_000_000, rows: Number(count) },
    ]),
  );
}

run(main);
