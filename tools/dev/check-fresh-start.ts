import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readChildren } from './children.ts';
import { root } from '../../runtime/home.ts';
import { freePort } from '../../runtime/free-port.ts';
import { endProcesses, isRunning, until } from './processes.ts';
import { cacheFolder } from './tools.ts';

/** Follows the steps of a newcomer: clone, npm start, the first requests, kill -9, start again, Ctrl-C. */

const START_TIMEOUT_MS = 10 * 60_000;
const SECOND_START_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 10_000;
/** Far enough ahead to kill and restart everything before. */
const SCHEDULE_AHEAD_MS = 12_000;

interface Demo {
  readonly base_url: string;
  readonly secret_key: string;
}

interface Product {
  readonly npm: ChildProcess;
  readonly said: () => string;
}

/** Settings of many for other projects. Without the scripts of packages there would be no Node. */
const settingsOfOthers = {
  npm_config_ignore_scripts: 'true',
  npm_config_omit: 'dev',
  npm_config_bin_links: 'false',
  npm_config_engine_strict: 'true',
  NODE_ENV: 'production',
};

const folder = mkdtempSync(join(tmpdir(), 'presswork-fresh-'));
const clone = join(folder, 'presswork');
const home = join(clone, '.presswork');

let passed = 0;
let current: Product | undefined;

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`failed: ${what}`);
  passed += 1;
  console.log(`ok  ${what}`);
}

function start(port: number): Product {
  const { npm_lifecycle_event: _event, npm_execpath: _npm, ...env } = process.env;
  const npm = spawn('npm', ['start'], {
    cwd: clone,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...env,
      ...settingsOfOthers,
      PORT: String(port),
      PRESSWORK_CACHE: cacheFolder(),
      PRESSWORK_HOME: '',
    },
  });
  let said = '';
  npm.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  current = { npm, said: () => said };
  return current;
}

async function ready(product: Product, timeoutMs: number): Promise<boolean> {
  const isReady = (): boolean => product.said().includes('Presswork is ready');
  await until(() => isReady() || product.npm.exitCode !== null, timeoutMs);
  return isReady();
}

/** The commands that the start prints and the README repeats, verbatim. */
function pastedRequest(product: Product): string {
  const commands = product
    .said()
    .split('\n')
    .filter((line) => /^ {2}(KEY=|curl )/.test(line))
    .join('\n');
  return execFileSync('bash', ['-c', commands], { encoding: 'utf8' });
}

async function call(
  demo: Demo,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, string>> {
  const response = await fetch(demo.base_url + path, {
    method,
    headers: {
      authorization: `Bearer ${demo.secret_key}`,
      'idempotency-key': `fresh-${Date.now()}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { data } = (await response.json()) as { data?: Record<string, string> };
  if (!response.ok || data === undefined) throw new Error(`${method} ${path} answered ${response.status}`);
  return data;
}

async function main(): Promise<void> {
  execFileSync('git', ['clone', '--quiet', root, clone]);
  const port = await freePort();
  const first = start(port);
  check(await ready(first, START_TIMEOUT_MS), 'npm start comes up from a fresh clone');
  check(pastedRequest(first).includes('"items"'), 'the printed first request works');

  const demo = JSON.parse(readFileSync(join(home, 'demo.json'), 'utf8')) as Demo;
  const article = await call(demo, 'POST', '/articles', { title: 'From a fresh clone', content: 'Text.' });
  const due = new Date(Date.now() + SCHEDULE_AHEAD_MS).toISOString();
  await call(demo, 'POST', `/articles/${article['id']}/schedule`, { scheduled_publish_at: due });

  const left = readChildren(home);
  process.kill(-(first.npm.pid as number), 'SIGKILL');
  const second = start(port);
  check(await ready(second, SECOND_START_TIMEOUT_MS + 5_000), 'after kill -9 it starts again');
  const took = Number(/after ([\d.]+) s/.exec(second.said())?.[1]) * 1000;
  check(took < SECOND_START_TIMEOUT_MS, `the second start takes less than ten seconds (${took} ms)`);
  check(!left.some(isRunning), 'what the kill left running has been ended');
  const published = async (): Promise<boolean> =>
    (await call(demo, 'GET', `/articles/${article['id']}`))['status'] === 'published';
  check(await until(published, SCHEDULE_AHEAD_MS + 5_000), 'the scheduled article is published on time');

  const running = readChildren(home);
  process.kill(-(second.npm.pid as number), 'SIGINT');
  const ended = (): boolean => second.npm.exitCode !== null || second.npm.signalCode !== null;
  const gone = (): boolean => ended() && !running.some(isRunning);
  check(await until(gone, STOP_TIMEOUT_MS), 'Ctrl-C stops every process within ten seconds');
}

/** Processes that a failed check has left running. */
async function endAll(): Promise<void> {
  try {
    if (current !== undefined) process.kill(-(current.npm.pid as number), 'SIGKILL');
  } catch {
    // It has already ended.
  }
  await endProcesses([...readChildren(home)], 0);
}

async function run(): Promise<number> {
  try {
    await main();
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(current?.said());
    await endAll();
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const failed = await run();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed);
