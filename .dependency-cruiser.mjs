import { readFileSync } from 'node:fs';

const { rooms } = JSON.parse(readFileSync(new URL('rooms.json', import.meta.url), 'utf8'));
const below = (paths) => `^(${paths.join('|')})(/|$)`;
const paths = rooms.map(({ path }) => path);

/** A room may import the rooms of its entry in rooms.json, and packages. */
const rulesOfRooms = rooms
  .filter(({ imports }) => imports !== null)
  .map(({ path, imports }) => ({
    name: `${path}-imports-what-it-may`,
    comment: 'rooms.json says what that is.',
    severity: 'error',
    // presswork.mjs runs when nothing is installed yet, and goes through the launcher.
    from: { path: below([path]), pathNot: '^cli/presswork\\.mjs$' },
    to: { path: below(paths), pathNot: below([path, ...imports]) },
  }));

/** A test file whose name does not say its tier (jest.config.js), and the programs that only that tier starts. */
const ruleOfTier = (tier, starts) => ({
  name: `a-${tier}-test-says-so`,
  comment: `Its name ends with .${tier}.test.ts, so that npm test stays fast.`,
  severity: 'error',
  from: {
    path: String.raw`^test/(?!faults/|runtimes/|systems/).*\.test\.ts$`,
    pathNot: String.raw`\.${tier}\.test\.ts$`,
  },
  to: { path: starts, reachable: true },
});

export default {
  forbidden: [
    ruleOfTier(
      'process',
      String.raw`^test/(api/processes|worker/processes|support/program|start/product|tools/dev/scripts)\.ts$`,
    ),
    ruleOfTier('browser', String.raw`^test/support/browser\.ts$`),
    { name: 'no-ring-of-files', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-ring-of-folders',
      comment:
        'Each folder stands above those that it imports, so it can be read and tested without the rest.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    ...rulesOfRooms,
    {
      name: 'only-the-generator-knows-the-edge',
      severity: 'error',
      from: { path: '^tools/', pathNot: String.raw`^tools/(dev/generate\.ts|dev/sdk/|bench/)` },
      to: { path: '^api/' },
    },
    {
      name: 'the-semaphore-knows-nothing',
      severity: 'error',
      from: { path: String.raw`^runtime/fair-semaphore\.ts$` },
      to: {},
    },
    {
      name: 'workflows-are-deterministic',
      comment: 'Workflow code imports workflow code, names, and types; nothing with an effect.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        pathNot: '^(workflows/|node_modules/@temporalio/(workflow|common))',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'of-workflows-only-names-are-known',
      severity: 'error',
      from: { path: '^(activities|tools/dev)/' },
      to: {
        path: '^workflows/',
        pathNot: String.raw`^workflows/names\.ts$`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-the-database-module-talks-to-the-driver',
      severity: 'error',
      from: {
        pathNot: String.raw`^(db/(client|connection|database|failures|migrate|throughput/prepared-query)\.ts|tools/|test/)`,
      },
      to: { path: '^node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-the-http-adapter-calls-out',
      severity: 'error',
      from: { pathNot: '^(adapters/http|test|tools/bench)/' },
      to: { path: '^(?:(?:node:)?https$|node_modules/undici/)' },
    },
    {
      name: 'only-metrics-talks-to-the-registry',
      severity: 'error',
      from: { pathNot: '^(observability/metrics|test)/' },
      to: { path: '^node_modules/@prometheus-io/client/' },
    },
    {
      name: 'only-tracing-knows-who-collects-traces',
      comment: 'The rest makes spans by observability/tracing/trace.ts (docs/decisions/0027).',
      severity: 'error',
      from: { pathNot: '^observability/tracing/' },
      to: { path: '^node_modules/@opentelemetry/' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^sdk/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
    },
  },
};
