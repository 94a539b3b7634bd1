import { rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { readChildren } from '../../tools/dev/children.ts';
import { readJson } from '../../runtime/home.ts';
import { freePort } from '../../runtime/free-port.ts';
import { savedViews, viewUrl } from '../../tools/dev/saved-views.ts';
import { isRunning, until } from '../../tools/dev/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventually } from '../support/eventually.ts';
import { ready, signalProduct, startProduct } from './product.ts';
import type { Product } from './product.ts';

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

const start = (env: Readonly<Record<string, string>> = {}): Product =>
  startProduct({ PRESSWORK_HOME: home, PORT: String(port), ...env });

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

/** It is published once, and not before its time. How late is looked at by check-fresh-start and by the benchmark. */
async function expectPublished({ id, due }: Scheduled): Promise<void> {
  await eventually(
    'it is published',
    async () => (await call('GET', `/articles/${id}`)).status === 'published',
    200,
  );
  const at = Date.parse((await call('GET', `/articles/${id}`)).published_at);
  expect(at).toBeGreaterThanOrEqual(due);
  const { items } = await call('GET', '/events?event=article.published&limit=100');
  expect(items.filter(({ data }: any) => data.id === id)).toHaveLength(1);
}

const signalGroup = (name: NodeJS.Signals): void => signalProduct(product, name);

test('a second start on the same folder is refused, with one line naming folder and process', async () => {
  const second = start({ PORT: String(await freePort()) });
  expect(await second.ended).toBe(1);
  const holder = readJson<{ pid: number }>(join(home, 'lock.json'))?.pid;
  const lines = second
    .said()
    .trim()
    .split('\n')
    .filter((line) => line.includes(home));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`${home} is in use by process ${holder}\\.`));
});

test('a wrong setting stops the launcher, too, with one line naming it', async () => {
  const wrong = start({ PORT: 'abc', PRESSWORK_HOME: join(home, 'another') });
  expect(await wrong.ended).toBe(1);
  expect(wrong.said().trim()).toMatch(/^PORT: [^\n]+$/);
});

test('a start prints where the Temporal UI shows what an operator looks for', () => {
  const demo = readJson<{ temporal_ui_url: string }>(join(home, 'demo.json'));
  for (const view of savedViews)
    expect(product.said()).toContain(viewUrl(demo?.temporal_ui_url ?? '', 'default', view));
});

test('a normal start shows no warning', () => {
  expect(product.said()).not.toMatch(/(warning|error):/);
});

/** A request that the API has started to read. @returns sends the rest, and returns the status */
async function halfSent(path: string, body: string): Promise<() => Promise<number | undefined>> {
  const demo = readJson<{ secret_key: string }>(join(home, 'demo.json'));
  const sending = httpRequest(`http://127.0.0.1:${port}/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo?.secret_key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'idempotency-key': `half-sent-${Date.now()}`,
    },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sending.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject);
  });
  answered.catch(() => {});
  sending.write(body.slice(0, 5));
  await new Promise((resolve) => setTimeout(resolve, 500));
  return () => {
    sending.end(body.slice(5));
    return answered;
  };
}

test('kill -9 of npm start: API and worker notice within two seconds, finish their requests, and end', async () => {
  const applications = readChildren(home).filter(({ role }) => role === 'application');
  const rest = await halfSent('/articles', JSON.stringify({ title: 'Begun before the kill' }));
  signalGroup('SIGKILL');
  const listens = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false,
    );
  expect(await until(async () => !(await listens()), 2_000)).toBe(true);
  expect(await rest()).toBe(201);
  // The worker gives its tasks some seconds (docs/deploy.md).
  expect(await until(() => !applications.some(isRunning), 26_000)).toBe(true);
  await product.ended;
  product = start();
  await ready(product);
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
  expect(left.filter(isRunning)).toEqual([]);
  await expectPublished(meanwhile);
  await expectPublished(later);
});

// That it takes less than ten seconds is looked at by check-fresh-start, which has the machine for itself.
test('Ctrl-C stops everything, and leaves no process behind', async () => {
  const left = readChildren(home);
  expect(left).toHaveLength(5);
  signalGroup('SIGINT');
  expect(await product.ended).toBe(0);
  expect(left.filter(isRunning)).toEqual([]);
});
