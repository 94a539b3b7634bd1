import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeHome } from '../../../tools/dev/lock.ts';
import { runText, said } from './scripts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Script } from './scripts.ts';

let home: string;
const started: Script[] = [];

beforeEach(() => {
  home = temporaryFolder();
});
afterEach(async () => {
  for (const script of started) script.process.kill('SIGKILL');
  await Promise.all(started.splice(0).map(({ ended }) => ended));
  rmSync(home, { recursive: true, force: true });
});

function hold(patienceMs = 0): Script {
  const script = runText(`
    import { takeHome } from 'tools/dev/lock.ts';
    try {
      await takeHome(${JSON.stringify(home)}, ${patienceMs});
      console.log('taken');
      setInterval(() => {}, 1000);
    } catch (error) {
      console.log(error.message);
    }`);
  started.push(script);
  return script;
}

test('a folder in use is refused, with one line naming folder and process', async () => {
  const holder = hold();
  await said(holder, 'taken');
  const message = `${home} is in use by process ${holder.pid}. `;
  await expect(takeHome(home, 0)).rejects.toThrow(message);
});

test('a folder is free again when its holder releases it', async () => {
  const release = await takeHome(home, 0);
  release();
  await said(hold(), 'taken');
});

test('the lock of a killed process is taken over', async () => {
  const holder = hold();
  await said(holder, 'taken');
  holder.process.kill('SIGKILL');
  await holder.ended;
  (await takeHome(home, 0))();
});

test('a start waits for a holder that is just ending', async () => {
  const holder = hold();
  await said(holder, 'taken');
  setTimeout(() => holder.process.kill('SIGKILL'), 500);
  (await takeHome(home, 100_000))();
});

test('a lock whose pid now belongs to another process is stale', async () => {
  writeFileSync(join(home, 'lock.json'), JSON.stringify({ pid: process.pid, started: 'long ago' }));
  (await takeHome(home, 0))();
});

test('of several concurrent starts with a stale lock, one gets the folder', async () => {
  writeFileSync(join(home, 'lock.json'), JSON.stringify({ pid: 1, started: 'long ago' }));
  const scripts = Array.from({ length: 6 }, () => hold());
  await Promise.all(scripts.map((script) => said(script, '\n')));
  expect(scripts.filter((script) => script.out().includes('taken'))).toHaveLength(1);
});
