// The entry of every npm script. Runs on any Node from 20 on and with nothing installed: it installs the
// packages where need be, then hands over to the Node that they bring along.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stamp = join(modules, '.installed-from');

const programs = {
  start: ['dev/start.ts'],
  test: ['dev/test.ts'],
  check: ['dev/check.ts'],
  bench: ['bench/main.ts'],
  generate: ['dev/generate.ts'],
  'fresh-start': ['dev/check-fresh-start.ts'],
  presswork: ['cli/main.ts'],
};

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

function install() {
  const wanted = lockHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing packages (npm ci), about a minute the first time …');
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const result = spawnSync(command, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (result.status !== 0) {
    console.error('npm ci failed; what it said stands above.');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

/** The command line of a process, where the system tells (Linux). */
function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function parentOf(pid) {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

/** npm, and the shell it may have put in between: when one of them is killed, so is what it ran. */
function watchedAncestors() {
  if (!process.env.npm_lifecycle_event) return [];
  const parent = process.ppid;
  const between = commandLine(parent).includes('dev/launch.mjs');
  return between
    ? [
        [process.pid, parent],
        [parent, parentOf(parent)],
      ]
    : [[process.pid, parent]];
}

const [name, ...args] = process.argv.slice(2);
const program = programs[name];
if (!program) {
  console.error(`Unknown script ${name}. There are: ${Object.keys(programs).join(', ')}.`);
  process.exit(2);
}
install();

const node = join(
  dirname(createRequire(join(root, 'package.json')).resolve('node/package.json')),
  'bin',
  'node',
);
const child = spawn(node, [...program.map((part) => join(root, part)), ...args], {
  cwd: name === 'presswork' ? process.cwd() : root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, PATH: `${dirname(node)}:${join(modules, '.bin')}:${process.env.PATH}` },
});
// A terminal sends its Ctrl-C to the child as well: what comes here is passed on only where it came here alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
const ancestors = name === 'start' ? watchedAncestors() : [];
setInterval(() => {
  if (ancestors.some(([pid, parent]) => parent !== undefined && parentOf(pid) !== parent))
    child.kill('SIGTERM');
}, 300).unref();
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
