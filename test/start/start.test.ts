import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readChildren } from '../../dev/children.ts';
import { freePort, readJson, root } from '../../dev/home.ts';
import { isRunning, until } from '../../dev/processes.ts';
import { cacheFolder } from '../../dev/tools.ts';
import { temporaryFolder } from '../dev/scripts.ts';
import { eventually } from '../support/eventually.ts';

/** The product as `npm start` has it, through the launcher; what concerns the supervisor alone is tested in test/dev. */
interface Product {
  readonly launcher: ChildProcess;
  said(): string;
  readonly ended: Promise<number | null>;
}

interface Scheduled {
  readonly id: string;
  readonly due: number;
}

let home: string;
let port: number;
let product: Product;

beforeAll(async () => {
  home = temporaryFolder();
  port = await freePort();
  product = start();
  await ready(product);
});
afterAll(async () => {
  product.launcher.kill('SIGTERM');
  await product.ended;
  rmSync(home, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}): Product {
  const { npm_lifecycle_event: _event, ...inherited } = process.env;
  const launcher = spawn(process.execPath, [join(root, 'dev/launch.mjs'), 'start'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...inherited,
      PRESSWORK_HOME: home,
      PRESSWORK_CACHE: cacheFolder(),
      PORT: String(port),
      DATABASE_URL: '',
      TEMPORAL_ADDRESS: '',
      S3_ENDPOINT: '',
      ...env,
    },
  });
  let said = '';
  for (const output of [launcher.stdout, launcher.stderr])
    output?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => launcher.on('close', resolve));
  return { launcher, said: () => said, ended };
}

async function ready({ said, launcher }: Product): Promise<void> {
  await until(() => said().includes('Presswork is ready') || launcher.exitCode !== null, 50_000);
  expect(said()).toContain('Presswork is ready');
}

async function call(method: string, path: string, body?: object): Promise<any> {
  const demo = readJson<{ base_url: string; secret_key: string }>(join(home, 'demo.json'));
  const answer = await fetch(`${demo?.base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${demo?.secret_key}`,
      'content-type': 'application/json',
      'idempotency-key': `start-test-${Date.now()}-${Math.random()}`,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBeLessThan(300);
  return ((await answer.json()) as { data: unknown }).data;
}

async function schedule(inMs: number): Promise<Scheduled> {
  const { id } = await call('POST', '/articles', { title: `In ${inMs} ms`, content: 'Text.' });
  const due = Date.now() + inMs;
  await call('POST', `/articles/${id}/schedule`, { scheduled_publish_at: new Date(due).toISOString() });
  return { id, due };
}

/** Published once, not before its time, and within a few seconds of it or of the restart. */
async function expectPublished({ id, due }: Scheduled, restartedAt: number): Promise<void> {
  await eventually(
    'it is published',
    async () => (await call('GET', `/articles/${id}`)).status === 'published',
    200,
  );
  const at = Date.parse((await call('GET', `/articles/${id}`)).published_at);
  expect(at).toBeGreaterThanOrEqual(due);
  expect(at - Math.max(due, restartedAt)).toBeLessThan(5_000);
  const { items } = await call('GET', '/events?event=article.published&limit=100');
  expect(items.filter(({ data }: any) => data.id === id)).toHaveLength(1);
}

const signalGroup = (name: NodeJS.Signals): void =>
  void process.kill(-(product.launcher.pid as number), name);

test('a second start on the same folder is refused within ten seconds, with one line that names folder and process', async () => {
  const begun = Date.now();
  const second = start({ PORT: String(await freePort()) });
  expect(await second.ended).toBe(1);
  expect(Date.now() - begun).toBeLessThan(10_000);
  const holder = readJson<{ pid: number }>(join(home, 'lock.json'))?.pid;
  const lines = second
    .said()
    .trim()
    .split('\n')
    .filter((line) => line.includes(home));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`${home} is in use by process ${holder}\\.`));
});

test('a wrong setting stops the launcher, too, with one line that names it', async () => {
  const wrong = start({ PORT: 'abc', PRESSWORK_HOME: join(home, 'another') });
  expect(await wrong.ended).toBe(1);
  expect(wrong.said().trim()).toMatch(/^PORT: [^\n]+$/);
});

test.each([
  ['npm start and the supervisor', () => signalGroup('SIGKILL')],
  [
    'everything at once, with PostgreSQL and Temporal',
    () => {
      const children = readChildren(home);
      signalGroup('SIGKILL');
      for (const { pid } of children) process.kill(pid, 'SIGKILL');
    },
  ],
])('kill -9 of %s, and a second start: what was scheduled is published on time, once', async (_, kill) => {
  const [meanwhile, later] = [await schedule(500), await schedule(15_000)];
  const left = readChildren(home);
  kill();
  await product.ended.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  product = start();
  await ready(product);
  const readyAt = Date.now();
  expect(left.filter(isRunning)).toEqual([]);
  await expectPublished(meanwhile, readyAt);
  await expectPublished(later, readyAt);
});

test('Ctrl-C ends everything within ten seconds, and leaves no process behind', async () => {
  const left = readChildren(home);
  expect(left).toHaveLength(5);
  const begun = Date.now();
  signalGroup('SIGINT');
  expect(await product.ended).toBe(0);
  expect(Date.now() - begun).toBeLessThan(10_000);
  expect(left.filter(isRunning)).toEqual([]);
});
