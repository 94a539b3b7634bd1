import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import type { Benchmarks } from '../dev/benchmarks-document.ts';
import { root } from '../../runtime/home.ts';
import { summarize } from './load.ts';
import { formatImport, measureImport } from './import.ts';
import type { ImportSpeed } from './import.ts';
import { dashboardSize, measureDashboard } from './dashboard/measure.ts';
import { formatDashboard } from './dashboard/report.ts';
import { formatNeighbours, measureNeighbours } from './neighbours.ts';
import { formatOnTheHour, measureOnTheHour } from './on-the-hour.ts';
import { readRuns } from './options.ts';
import type { Options } from './options.ts';
import { residentMegabytes, watch } from './process-usage.ts';
import { startApi, startLoad, startServer } from './processes.ts';
import { Collected, createReport, formatReport } from './report.ts';
import type { Report as LoadReport } from './report.ts';
import { createEndings, run } from './run.ts';
import type { OnEnd } from './run.ts';
import { scenarios } from './scenarios.ts';
import { fullSize, seed } from './seed.ts';
import type { Seeded, SeedSize } from './seed.ts';
import { startPostgres, startTemporal } from './servers.ts';
import { fullAmounts, measureWebhooks } from './webhooks/measure.ts';
import { formatFigures } from './webhooks/report.ts';
import { startWebhookStack, webhookSize } from './webhooks/stack.ts';

interface Bench {
  readonly home: string;
  readonly databaseUrl: string;
  readonly options: Options;
  readonly onEnd: OnEnd;
}

type Report = LoadReport & { readonly import: ImportSpeed | null };

/** The speed of a machine changes from minute to minute, so every round runs a part of each load. */
const ROUNDS = 4;
/** Warm-up until the code is compiled: an API keeps getting faster for seconds. */
const WARM_UP_MS = 8_000;
const WARM_UP_AGAIN_MS = 500;
const IMPORTED_ARTICLES = 1_000;
/** PostgreSQL keeps when each transaction was committed. */
const COMMIT_TIMES = { track_commit_timestamp: 'on' };

const runs: Benchmarks['runs'][number][] = [];

/** @returns the exit code: 0 if nothing failed */
async function main(onEnd: OnEnd): Promise<number> {
  const wanted = readRuns();
  let code = 0;
  for (const options of wanted) code = Math.max(code, await measure(options, onEnd));
  const json = wanted[0]?.json;
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(benchmarks(), null, 2)}\n`);
  return code;
}

function benchmarks(): Benchmarks {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const measured = new Date().toISOString().slice(0, 10);
  return { version, measured, processors: availableParallelism(), runs };
}

/** Runs the product's processes on their own PostgreSQL, one load after another, and ends them. */
async function measure(options: Options, onEnd: OnEnd): Promise<number> {
  const { onEnd: later, endEach } = createEndings();
  onEnd(endEach);
  try {
    const home = mkdtempSync(join(tmpdir(), 'presswork-bench-'));
    later(async () => rmSync(home, { recursive: true, force: true }));
    const settings = options.alone === 'on-the-hour' ? COMMIT_TIMES : {};
    const { url: databaseUrl } = await startPostgres(home, later, settings);
    await migrate(databaseUrl);
    return await benchFor(options)({ home, databaseUrl, options, onEnd: later });
  } finally {
    await endEach();
  }
}

function benchFor({ alone, webhooks }: Options): typeof benchRequests {
  if (alone === 'on-the-hour') return benchOnTheHour;
  if (alone === 'dashboard') return benchDashboard;
  if (alone === 'neighbours') return benchNeighbours;
  return webhooks ? benchWebhooks : benchRequests;
}

async function benchNeighbours({ home, databaseUrl, options, onEnd }: Bench): Promise<number> {
  const { measureMs } = options;
  const figures = await measureNeighbours({ home, databaseUrl, measureMs }, onEnd);
  tell(options, formatNeighbours(figures), figures);
  return figures.besideSearches.refused > 0 ? 1 : 0;
}

async function benchOnTheHour({ home, databaseUrl, options, onEnd }: Bench): Promise<number> {
  const { url: temporalAddress } = await startTemporal(home, onEnd);
  const figures = await measureOnTheHour({ home, databaseUrl, temporalAddress }, onEnd);
  tell(options, formatOnTheHour(figures), figures);
  return figures.some(({ failed }) => failed) ? 1 : 0;
}

async function benchDashboard({ home, databaseUrl, options, onEnd }: Bench): Promise<number> {
  const seeded = await seedTimed(databaseUrl, dashboardSize);
  const figures = await measureDashboard(home, databaseUrl, seeded, onEnd);
  tell(options, formatDashboard(figures), figures);
  return 0;
}

async function benchRequests(bench: Bench): Promise<number> {
  const { databaseUrl, options } = bench;
  const seeded = await seedTimed(databaseUrl, {
    ...fullSize,
    searched: options.names.includes('search'),
  });
  const report = await measureAll(bench, seeded);
  const creates = report.lines.find(({ name }) => name === 'create')?.perSecond;
  const imported = report.import === null ? [] : [formatImport(report.import, creates)];
  tell(options, [formatReport(report), ...imported].join('\n'), report);
  for (const { name, errors, firstError } of report.lines)
    if (errors > 0) console.error(`${name}: ${errors} errors, the first of them: ${firstError}`);
  return report.lines.some(({ errors }) => errors > 0) || report.import?.completed === false ? 1 : 0;
}

async function benchWebhooks({ home, databaseUrl, options, onEnd }: Bench): Promise<number> {
  const seeded = await seedTimed(databaseUrl, webhookSize);
  const stack = await startWebhookStack(home, databaseUrl, seeded, profiling(options), onEnd);
  const figures = await measureWebhooks(stack, options.names, {
    ...fullAmounts,
    measureMs: options.measureMs,
  });
  tell(options, formatFigures(figures), figures);
  return figures.some(({ failed }) => failed) ? 1 : 0;
}

async function seedTimed(databaseUrl: string, size: SeedSize): Promise<Seeded> {
  const begun = Date.now();
  const seeded = await seed(databaseUrl, size);
  console.log(`seeded in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
  return seeded;
}

function tell({ alone, webhooks }: Options, text: string, figures: unknown): void {
  console.log(`\n${text}`);
  runs.push({ name: alone ?? (webhooks ? 'webhooks' : 'requests'), text, figures });
}

const profiling = ({ profile }: Options): readonly string[] =>
  profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`];

async function measureAll({ home, databaseUrl, options, onEnd }: Bench, seeded: Seeded): Promise<Report> {
  const { names, importing, measureMs } = options;
  const load = startLoad(seeded);
  onEnd(() => load.stop());
  const limits = await startServer(
    [process.execPath, join(root, 'tools/bench/limits.ts')],
    { DATABASE_URL: databaseUrl },
    '/constant',
    join(home, 'limits.log'),
  );
  onEnd(() => limits.stop());
  const api = await startApi(
    { env: { DATABASE_URL: databaseUrl }, logFile: join(home, 'api.log'), flags: profiling(options) },
    onEnd,
  );

  const idleMegabytes = residentMegabytes(api.pid);
  const scenariosSeen = new Map(names.map((name) => [name, new Collected()]));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, seen] of scenariosSeen) {
      const { title, target } = scenarios[name] as (typeof scenarios)[string];
      const { origin, pid } = target === 'api' ? api : limits;
      if (round === 1) await load.prepare(name, origin);
      const warmUpMs = round === 1 ? WARM_UP_MS : WARM_UP_AGAIN_MS;
      const duration = { warmUpMs, measureMs: measureMs / ROUNDS };
      const { result, usage } = await watch(pid, () => load.measure(name, origin, duration));
      seen.add(result, usage);
      console.log(`${round}/${ROUNDS} ${title}: ${Math.round(summarize([result]).perSecond)} requests/s`);
    }
  }
  const lines = [...scenariosSeen].map(([name, seen]) => seen.line(name));
  const seen = lines
    .filter(({ name }) => scenarios[name]?.target === 'api')
    .map(({ megabytes }) => megabytes ?? 0);
  const peakMegabytes = idleMegabytes === null ? null : Math.max(idleMegabytes, ...seen);
  const [site] = seeded.small;
  const imported = importing && site ? await measureImport(api.origin, site, home, IMPORTED_ARTICLES) : null;
  return { ...createReport(lines, { idleMegabytes, peakMegabytes }), import: imported };
}

run(main);
