import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readChildren } from '../../../tools/dev/children.ts';
import { LogFile } from '../../../tools/dev/log-file.ts';
import { until } from '../../../tools/dev/processes.ts';
import { Supervisor } from '../../../tools/dev/supervisor.ts';
import { eventually } from '../../support/eventually.ts';
import { captureConsole } from './console.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let home: string;
const { lines } = captureConsole();
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('processes that cannot be recorded keep running, and are recorded as soon as possible', async () => {
  const inTheWay = join(home, 'children.json');
  mkdirSync(join(inTheWay, 'something'), { recursive: true });
  const supervisor = new Supervisor(home);
  try {
    supervisor.run({
      name: 'it',
      role: 'server',
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)'],
      stopSignal: 'SIGTERM',
      logFile: join(home, 'log'),
    });
    expect(lines[0]).toMatch(/^The running processes could not be recorded: /);
    rmSync(inTheWay, { recursive: true });
    await eventually('they are recorded', () => readChildren(home).length === 1);
  } finally {
    await supervisor.stop();
  }
});

test('a log that could not be written for a while has the later lines', async () => {
  const file = join(home, 'logs', 'log');
  const log = new LogFile(file);
  log.write(Buffer.from('lost\n'));
  await until(() => false, 200);
  mkdirSync(join(home, 'logs'));
  await eventually('it is written', () => {
    log.write(Buffer.from('kept\n'));
    return existsSync(file) && readFileSync(file, 'utf8').includes('kept');
  });
  expect(readFileSync(file, 'utf8')).not.toContain('lost');
});
