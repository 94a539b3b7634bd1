import { rmSync } from 'node:fs';
import { noteChildren, reclaimChildren } from '../../../tools/dev/children.ts';
import type { NotedChild } from '../../../tools/dev/supervised.ts';
import { identityOf, isRunning } from '../../../tools/dev/processes.ts';
import { captureConsole } from './console.ts';
import { runText, said } from './scripts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
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

test('processes of a killed supervisor are stopped by their own signals, applications first', async () => {
  const api = await running('');
  const postgres = await running(`
    import { isRunning } from 'tools/dev/processes.ts';
    const api = ${JSON.stringify(identityOf(api.pid))};
    process.on('SIGINT', () => process.exit(isRunning(api) ? 8 : 7))`);
  noteChildren(home, [
    noted(postgres, server),
    noted(api, { name: 'api', role: 'application', stopSignal: 'SIGTERM' }),
  ]);
  await reclaimChildren(home);
  expect(await api.ended).toBe('SIGTERM');
  expect(await postgres.ended).toBe(7);
  expect(lines).toEqual(['Stopping what an earlier start left running: PostgreSQL, api …']);
});

test('a process that ignores its signal is killed', async () => {
  const deaf = await running(`process.on('SIGTERM', () => {})`);
  noteChildren(home, [noted(deaf, { name: 'api', role: 'application', stopSignal: 'SIGTERM' })]);
  await reclaimChildren(home);
  expect(await deaf.ended).toBe('SIGKILL');
});

test('a different process with a recorded pid is left alone', async () => {
  const bystander = await running('');
  noteChildren(home, [{ ...server, pid: bystander.pid, started: 'long ago' }]);
  await reclaimChildren(home);
  expect(isRunning(identityOf(bystander.pid))).toBe(true);
  expect(lines).toEqual([]);
});

test('a folder without records has nothing to stop', async () => {
  await reclaimChildren(home);
  expect(lines).toEqual([]);
});
