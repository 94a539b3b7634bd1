import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { migrate } from '../db/migrate.ts';
import { compile, compileCache, heapFlags, memorySettings } from '../dev/applications.ts';
import { root, StartError } from '../dev/home.ts';
import { summarize } from './load.ts';
import { formatImport, measureImport } from './import.ts';
import type { ImportSpeed } from './import.ts';
import { formatPipeline, measurePipeline } from './pipeline.ts';
import { residentMegabytes, watch } from './process-usage.ts';
import { startLoad, startServer, unusedServices } from './processes.ts';
import { Collected, createReport, formatReport } from './report.ts';
import type { Report as LoadReport } from './report.ts';
import { run } from './run.ts';
import type { OnEnd } from './run.ts';
import { scenarios } from './scenarios.ts';
import { fullSize, seed } from './seed.ts';
import type { Seeded, SeedSize } from './seed.ts';
import { startObjectStore, startPostgres, startTemporal, storageSettings } from './servers.ts';
import { fullAmounts, measureWebhooks, parts } from './webhooks/measure.ts';
import { formatFigures } from './webhooks/report.ts';
import { startWebhookWorld, webhookSize } from './webhooks/world.ts';

type Report = LoadReport & { readonly import: ImportSpeed | null };

const USAGE = `npm run bench -- [name …] [--seconds 8] [--json FILE] [--profile FOLDER]
  names: ${[...Object.keys(scenarios), 'import'].join(', ')}; without one, all of them
  or pipeline: articles through all stages, beside workflows of five empty activities
  or webhooks [part …], from the publish to the receiver: ${Object.keys(parts).join(', ')}; without one, all of them
  --profile writes the CPU profiles of the servers there`;

/** A machine changes its speed from one minute to the next: each load has a part of every minute. */
const ROUNDS = 4;
/** Until what a load uses is compiled: an API goes on getting faster for seconds. */
const WARM_UP_MS = 8_000;
const WARM_UP_AGAIN_MS = 500;
const IMPORTED_ARTICLES = 1_000;
const PIPELINE_ARTICLES = 200;
const bareLimits = ['constant', 'row'];
/** What registrations are held against. */
const imageLimits = ['metadata', 'decode'];

interface Options {
  /** Whether the pipeline is measured, and nothing else. */
  readonly pipeline: boolean;
  /** Whether webhooks are measured; `names` are parts of that then. */
  readonly webhooks: boolean;
  readonly names: readonly string[];
  readonly importing: boolean;
  readonly measureMs: number;
  readonly json: string | undefined;
  readonly profile: string | undefined;
}

/** `comments` stands for every scenario whose name begins so. */
function membersOf(name: string): string[] {
  const members = Object.keys(scenarios).filter((each) => each.startsWith(`${name}-`));
  return members.length > 0 ? members : [name];
}

/** @throws StartError with how it is used */
function readOptions(): Options {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { seconds: { type: 'string' }, json: { type: 'string' }, profile: { type: 'string' } },
    });
    const measureMs = Number(values.seconds ?? 8) * 1000;
    const webhooks = positionals[0] === 'webhooks';
    const pipeline = positionals.length === 1 && positionals[0] === 'pipeline';
    const given = webhooks ? positionals.slice(1) : positionals.flatMap(membersOf);
    const importing = !webhooks && (given.length === 0 || given.includes('import'));
    const isKnown = (name: string): boolean =>
      webhooks ? Object.hasOwn(parts, name) : name === 'import' || Object.hasOwn(scenarios, name);
    const known = pipeline || given.every(isKnown);
    if (!known || !(measureMs > 0)) throw new StartError(USAGE);
    const { json, profile } = values;
    if (pipeline) return { pipeline, webhooks, names: [], importing: false, measureMs, json, profile };
    if (webhooks) {
      const names = Object.keys(parts).filter((name) => given.length === 0 || given.includes(name));
      return { pipeline, webhooks, names, importing, measureMs, json, profile };
    }
    // The limits are what everything is held against: they are measured in every run.
    const wanted = new Set(given.length === 0 ? Object.keys(scenarios) : [...bareLimits, ...given]);
    if (wanted.has('media')) for (const name of imageLimits) wanted.add(name);
    if (importing) wanted.add('create');
    const names = Object.keys(scenarios).filter((name) => wanted.has(name));
    return { pipeline, webhooks, names, importing, measureMs, json, profile };
  } catch {
    throw new StartError(USAGE);
  }
}

/** Runs the product's processes on a PostgreSQL of their own, one load after the other. */
async function main(onEnd: OnEnd): Promise<number> {
  const options = readOptions();
  const home = mkdtempSync(join(tmpdir(), 'presswork-bench-'));
  onEnd(async () => rmSync(home, { recursive: true, force: true }));
  const { url: databaseUrl } = await startPostgres(home, onEnd);
  await migrate(databaseUrl);
  const bench = options.pipeline ? benchPipeline : options.webhooks ? benchWebhooks : benchRequests;
  return bench(home, databaseUrl, options, onEnd);
}

async function benchPipeline(
  home: string,
  databaseUrl: string,
  options: Options,
  onEnd: OnEnd,
): Promise<number> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const { url: temporalAddress } = await startTemporal(home, onEnd);
  const articles = PIPELINE_ARTICLES;
  const speed = await measurePipeline({ databaseUrl, temporalAddress, namespace: 'default', articles });
  tell(options, formatPipeline(speed), speed);
  return 0;
}

async function benchRequests(
  home: string,
  databaseUrl: string,
  options: Options,
  onEnd: OnEnd,
): Promise<number> {
  const seeded = await seedTimed(databaseUrl, fullSize);
  const report = await measureAll(home, databaseUrl, options, seeded, onEnd);
  const creates = report.lines.find(({ name }) => name === 'create')?.perSecond;
  const imported = report.import === null ? [] : [formatImport(report.import, creates)];
  tell(options, [formatReport(report), ...imported].join('\n'), report);
  for (const { name, errors, firstError } of report.lines)
    if (errors > 0) console.error(`${name}: ${errors} errors, the first of them: ${firstError}`);
  return report.lines.some(({ errors }) => errors > 0) || report.import?.completed === false ? 1 : 0;
}

async function benchWebhooks(
  home: string,
  databaseUrl: string,
  options: Options,
  onEnd: OnEnd,
): Promise<number> {
  const seeded = await seedTimed(databaseUrl, webhookSize);
  const world = await startWebhookWorld(home, databaseUrl, seeded, profiling(options), onEnd);
  const figures = await measureWebhooks(world, options.names, {
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

function tell({ json }: Options, text: string, data: unknown): void {
  console.log(`\n${text}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(data, null, 2)}\n`);
}

const profiling = ({ profile }: Options): readonly string[] =>
  profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`];

async function measureAll(
  home: string,
  databaseUrl: string,
  options: Options,
  seeded: Seeded,
  onEnd: OnEnd,
): Promise<Report> {
  const { names, importing, measureMs } = options;
  const load = startLoad(seeded);
  onEnd(() => load.stop());
  const limits = await startServer(
    [join(root, 'bench/limits.ts')],
    { DATABASE_URL: databaseUrl },
    '/constant',
    join(home, 'limits.log'),
  );
  onEnd(() => limits.stop());
  await compile(['api'], home);
  const api = await startServer(
    [...profiling(options), ...heapFlags('api'), join(root, 'api/main.ts')],
    {
      ...memorySettings,
      DATABASE_URL: databaseUrl,
      ...compileCache(home),
      ...unusedServices,
      ...(names.includes('media') ? storageSettings(home, (await startObjectStore(home, onEnd)).url) : {}),
    },
    '/healthz',
    join(home, 'api.log'),
  );
  onEnd(() => api.stop());

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
