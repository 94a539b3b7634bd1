import { rmSync } from 'node:fs';
import { noteChildren, reclaimChildren } from '../../dev/children.ts';
import type { NotedChild } from '../../dev/supervised.ts';
import { identityOf, isRunning } from '../../dev/processes.ts';
import { captureConsole } from './console.ts';
import { runText, said, temporaryFolder } from './scripts.ts';
import type { Script } from './scripts.ts';

let home: string;
const started: Script[] = [];
const { lines } = captureConsole();

beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => {
  for (const script of started.splice(0)) script.process.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

const server = { name: 'PostgreSQL', role: 'server', stopSignal: 'SIGINT' } as const;

async function running(text: string): Promise<Script> {
  const script = runText(`${text}; setInterval(() => {}, 1000); console.log('up')`);
  started.push(script);
  await said(script, 'up');
  return script;
}

const noted = (script: Script, kind: Pick<NotedChild, 'name' | 'role' | 'stopSignal'>): NotedChild => ({
  ...kind,
  ...identityOf(script.pid),
});

test('what a killed supervisor left running is ended by its own signal, applications first', async () => {
  const postgres = await running(`process.on('SIGINT', () => process.exit(7))`);
  const api = await running('');
  noteChildren(home, [
    noted(postgres, server),
    noted(api, { name: 'api', role: 'application', stopSignal: 'SIGTERM' }),
  ]);
  let order = '';
  void api.ended.then(() => (order += 'api '));
  void postgres.ended.then(() => (order += 'postgres'));
  await reclaimChildren(home);
  expect(await postgres.ended).toBe(7);
  expect(await api.ended).toBe('SIGTERM');
  expect(order).toBe('api postgres');
  expect(lines).toEqual(['Ending what an earlier start left running: PostgreSQL, api …']);
});

test('a process that does not end when asked is ended by force', async () => {
  const deaf = await running(`process.on('SIGTERM', () => {})`);
  noteChildren(home, [noted(deaf, { name: 'api', role: 'application', stopSignal: 'SIGTERM' })]);
  await reclaimChildren(home);
  expect(await deaf.ended).toBe('SIGKILL');
});

test('a process that has the number of a noted one, but is another, is left alone', async () => {
  const bystander = await running('');
  noteChildren(home, [{ ...server, pid: bystander.pid, started: 'long ago' }]);
  await reclaimChildren(home);
  expect(isRunning(identityOf(bystander.pid))).toBe(true);
  expect(lines).toEqual([]);
});

test('a folder without a note has nothing to reclaim', async () => {
  await reclaimChildren(home);
  expect(lines).toEqual([]);
});
