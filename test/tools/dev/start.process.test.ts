import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readChildren } from '../../../tools/dev/children.ts';
import { readJson, readRunFile } from '../../../runtime/home.ts';
import { freePort } from '../../../runtime/free-port.ts';
import { isRunning } from '../../../tools/dev/processes.ts';
import { eventually } from '../../support/eventually.ts';
import { runStart, said } from './scripts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Script } from './scripts.ts';

const READY = 'Presswork is ready';
const BUCKET = 'named-by-the-operator';

let home: string;
let origin: string;
let env: Record<string, string>;
let product: Script;

beforeAll(async () => {
  home = temporaryFolder();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  env = { PORT: String(port), PRESSWORK_HOME: home, S3_BUCKET: BUCKET };
});
afterAll(async () => {
  product.process.kill('SIGTERM');
  await product.ended;
  rmSync(home, { recursive: true, force: true });
});

async function start(): Promise<void> {
  product = runStart(env);
  await said(product, READY);
}

const isReady = async (): Promise<boolean> => {
  try {
    return (await fetch(`${origin}/readyz`)).status === 200;
  } catch {
    return false;
  }
};

interface Demo {
  readonly base_url: string;
  readonly secret_key: string;
}
const demo = (): Demo => readJson<Demo>(join(home, 'demo.json')) as Demo;

async function call(method: string, path: string, body?: object): Promise<Record<string, string>> {
  const answer = await fetch(`${demo().base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${demo().secret_key}`,
      'idempotency-key': `dev-test-${Date.now()}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await answer.json()) as { data: Record<string, string> }).data;
}

test('a first start becomes ready, and only the owner can read its folder', async () => {
  await start();
  expect(await isReady()).toBe(true);
  for (const name of ['lock', 'children', 'credentials', 'demo', 'run'])
    expect(statSync(join(home, `${name}.json`)).mode & 0o777).toBe(0o600);
  expect(readRunFile(home)).toMatchObject({ base_url: `${origin}/v1` });
});

test('the embedded S3 server has the bucket that S3_BUCKET names', () => {
  expect(readRunFile(home)).toMatchObject({ storage: { S3_BUCKET: BUCKET } });
  expect(readdirSync(join(home, 's3'))).toContain(BUCKET);
});

test('its link opens the dashboard once, and no log has it', async () => {
  const [link = ''] = product.out().match(/http:\S+\/sign-in\/once\/[\w-]{43}/) ?? [];
  const open = () => fetch(link, { redirect: 'manual' });
  const [first, second] = [await open(), await open()];
  expect([first.status, first.headers.get('location'), second.status]).toEqual([303, '../../dashboard', 404]);
  const [cookie = ''] = first.headers.getSetCookie();
  const account = await fetch(`${origin}/dashboard/api/account`, {
    headers: { cookie: cookie.split(';')[0] ?? '', 'x-presswork': '1', 'sec-fetch-site': 'same-origin' },
  });
  expect(await account.json()).toMatchObject({ data: { account: { email: 'owner@demo.example' } } });
  const logs = (): string =>
    readdirSync(join(home, 'logs'))
      .map((name) => readFileSync(join(home, 'logs', name), 'utf8'))
      .join('\n');
  await eventually('the sign-in is logged', () => logs().includes('/sign-in/once/…'), 100);
  expect(logs()).not.toContain(link.split('/').pop());
});

test('a second start on the same folder is refused, and the first keeps running', async () => {
  const second = runStart(env);
  expect(await second.ended).toBe(1);
  expect(second.err()).toMatch(new RegExp(`^${home} is in use by process ${product.pid}\\.[^\\n]*\\n$`));
  expect(await isReady()).toBe(true);
});

test.each(['PostgreSQL', 'Temporal', 'S3', 'worker', 'api'])('%s comes back after kill -9', async (name) => {
  const pid = (): number | undefined => readChildren(home).find((child) => child.name === name)?.pid;
  const killed = pid() as number;
  process.kill(killed, 'SIGKILL');
  await eventually('another one runs', () => ![killed, undefined].includes(pid()));
  await said(product, `${name} ended (SIGKILL)`);
  await eventually('everything works again', isReady, 200);
});

test('kill -9 of the supervisor loses nothing: the next start stops what was left running, and has all data', async () => {
  const article = await call('POST', '/articles', { title: 'Written before the kill', content: 'Text.' });
  const keys = demo();
  const left = readChildren(home);
  const ports = readFileSync(join(home, 'ports.json'), 'utf8');
  product.process.kill('SIGKILL');
  await product.ended;
  // The programs end by themselves soon, as nothing holds their input open any more.
  expect(left.filter(({ role }) => role === 'server').filter(isRunning)).toHaveLength(3);

  await start();
  expect(left.filter(isRunning)).toHaveLength(0);
  expect(readFileSync(join(home, 'ports.json'), 'utf8')).toBe(ports);
  expect(demo()).toEqual(keys);
  expect(await call('GET', `/articles/${article['id']}`)).toMatchObject({ title: 'Written before the kill' });
});

test('one Ctrl-C that arrives twice stops everything gracefully', async () => {
  const running = readChildren(home);
  product.process.kill('SIGINT');
  product.process.kill('SIGTERM');
  expect(await product.ended).toBe(0);
  expect(running.filter(isRunning)).toHaveLength(0);
  expect(readFileSync(join(home, 'logs', 'postgres.log'), 'utf8')).toMatch(/database system is shut down\n$/);
});
