import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Supervised } from '../../../tools/dev/supervised.ts';
import type { Service } from '../../../tools/dev/supervised.ts';
import { eventually } from '../../support/eventually.ts';
import { captureConsole } from './console.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let home: string;
let supervised: Supervised;
const { lines } = captureConsole();

beforeEach(() => {
  home = temporaryFolder();
});
afterEach(async () => {
  await supervised.stop(0);
  rmSync(home, { recursive: true, force: true });
});

function start(text: string, role: Service['role'] = 'server'): Supervised {
  const logFile = join(home, 'log');
  const command = process.execPath;
  supervised = new Supervised(
    { name: 'it', role, command, args: ['-e', text], stopSignal: 'SIGTERM', logFile },
    () => {},
  );
  supervised.start();
  return supervised;
}

const deaths = (): string[] => lines.filter((line) => line.startsWith('it ended'));
const logged = (): string => (existsSync(join(home, 'log')) ? readFileSync(join(home, 'log'), 'utf8') : '');
const isUp = (): boolean => logged().includes('up');

test('a process that dies is restarted with growing pauses, and the reason is shown', async () => {
  start(`console.error('Error: no such folder'); process.exit(3)`);
  await eventually('it has died four times', () => deaths().length >= 4);
  expect(deaths().slice(0, 4)).toEqual(
    [100, 200, 400, 800].map(
      (pause) => `it ended (exit code 3): Error: no such folder. Restarting it in ${pause} ms.`,
    ),
  );
});

test.each([
  ["console.error('PORT: 3000 is in use'); process.exit(1)", 'PORT: 3000 is in use'],
  ["throw new TypeError('no such thing')", 'TypeError: no such thing'],
  ["console.error('Error: first'); console.error('and then this'); process.exit(1)", 'Error: first'],
])('its last error is shown: %s', async (text, reason) => {
  start(text);
  await eventually('it has died', () => deaths().length > 0);
  expect(deaths()[0]).toBe(`it ended (exit code 1): ${reason}. Restarting it in 100 ms.`);
});

test('a killed process is soon replaced', async () => {
  start(`setInterval(() => {}, 1000)`);
  const first = supervised.running?.pid as number;
  process.kill(first, 'SIGKILL');
  await eventually('another one runs', () => ![undefined, first].includes(supervised.running?.pid));
  expect(deaths()).toEqual(['it ended (SIGKILL). Restarting it in 100 ms.']);
});

test('a program that cannot be started is retried as well', async () => {
  supervised = new Supervised(
    {
      name: 'it',
      role: 'server',
      command: '/nowhere',
      args: [],
      stopSignal: 'SIGTERM',
      logFile: join(home, 'log'),
    },
    () => {},
  );
  supervised.start();
  await eventually('it has been tried twice', () => deaths().length >= 2);
  expect(deaths()[0]).toContain('ENOENT');
});

test('a stopped process is not restarted', async () => {
  start(`process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); console.log('up')`);
  await eventually('it is up', isUp);
  await supervised.stop(100_000);
  // Longer than the first pause: nothing else shows that it is not restarted.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(supervised.running).toBeUndefined();
  expect(lines).toEqual([]);
});

test('a process that ignores its signal is killed', async () => {
  start(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`);
  await eventually('it is up', isUp);
  const stopped = supervised.running?.pid as number;
  await supervised.stop(300);
  expect(() => process.kill(stopped, 0)).toThrow('ESRCH');
});

test("an application's warnings and errors are shown, its other lines are logged only", async () => {
  const warning = JSON.stringify({ level: 40, msg: 'the disk is nearly full' });
  const note = JSON.stringify({ level: 30, msg: 'listening' });
  start(`console.log('${note}'); console.log('${warning}'); setInterval(() => {}, 1000)`, 'application');
  await eventually('something is shown', () => lines.length > 0);
  expect(lines).toEqual(['it warning: the disk is nearly full']);
  // The file is written a moment later.
  await eventually('all is logged', () => logged().includes(warning));
  expect(logged()).toBe(`${note}\n${warning}\n`);
});
