import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';

/** Runs a program in its own process. @returns how it ended, and its output */
async function run(source: string, signals: readonly NodeJS.Signals[] = []) {
  const program = `
    import { runProgram } from ${JSON.stringify(join(root, 'runtime/run-program.ts'))};
    const line = (text) => process.stdout.write(text + '\\n');
    const log = { info: (text) => line(text), fatal: (_, text) => line('fatal: ' + text), flush: (done) => done() };
    const never = new Promise(() => {});
    setInterval(() => {}, 1_000);
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const started = (more) => async () => (setImmediate(() => line('up')), { log, limitMs: 5_000, broken: never, ...more });
    ${source}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: root });
  let said = '';
  let asked = false;
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (asked || !said.includes('up\n')) return;
      asked = true;
      signals.forEach((signal, index) => setTimeout(() => child.kill(signal), index * 100));
    });
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { ended: code ?? signal, said };
}

test.each([['SIGTERM'], ['SIGINT'], ['SIGTERM', 'SIGTERM', 'SIGINT']] as NodeJS.Signals[][])(
  'after one or several signals (%#), it finishes once and exits with 0',
  async (...signals) => {
    const end = `end: async () => { line('finishing'); await sleep(500); line('finished'); }`;
    const { ended, said } = await run(`runProgram(started({ ${end} }))`, signals.filter(Boolean));
    expect([ended, said]).toEqual([0, 'up\nfinishing\nfinished\nended\n']);
  },
);

test('with --load-only, it is loaded but not run', async () => {
  const { ended, said } = await run(
    `process.argv.push('--load-only'); runProgram(started({})); line('loaded'); process.exit()`,
  );
  expect([ended, said]).toEqual([0, 'loaded\n']);
});

test('a signal during the start ends it at once', async () => {
  const { ended, said } = await run(`runProgram(async () => (line('up'), never))`, ['SIGTERM']);
  expect([ended, said]).toEqual([0, 'up\n']);
});

test.each([
  ['it cannot start', `runProgram(async () => { throw new Error('no port') })`, 'could not start'],
  [
    'it breaks',
    `runProgram(started({ broken: sleep(50).then(() => { throw 1 }), end: async () => {} }))`,
    'ended',
  ],
  [
    'nobody catches an error',
    `runProgram(started({ end: async () => {} })); setTimeout(() => { throw 1 }, 50)`,
    'ended',
  ],
  [
    'a promise is forgotten',
    `runProgram(started({ end: async () => {} })); void sleep(50).then(() => { throw 1 })`,
    'ended',
  ],
])('if %s, it exits with 1', async (_, source, word) => {
  const { ended, said } = await run(source);
  expect(ended).toBe(1);
  expect(said).toContain(word);
});

test.each([
  ['fails', `async () => { throw new Error('x') }`, 'ending failed'],
  ['takes too long', `() => never, limitMs: 200`, 'did not finish in time'],
  ['meets an uncaught error', `() => (setTimeout(() => { throw 1 }), sleep(300))`, 'uncaught error'],
])('if the shutdown %s, it exits with 1', async (_, end, word) => {
  const { ended, said } = await run(`runProgram(started({ end: ${end} }))`, ['SIGTERM']);
  expect([ended, said.includes(word)]).toEqual([1, true]);
});
