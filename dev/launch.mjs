// The entry of every npm script. Runs on any Node from 20 on and with nothing installed: it installs the
// packages where need be, then hands over to the Node that they bring along.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stamp = join(modules, '.installed-from');
const node = join(modules, 'node', 'bin', 'node');

const programs = {
  start: ['dev/start.ts'],
  test: ['dev/test.ts'],
  'test:faults': ['dev/test-faults.ts'],
  check: ['dev/check.ts'],
  bench: ['bench/main.ts'],
  'bench:costs': ['bench/costs/main.ts'],
  'bench:load': ['bench/open-loop/main.ts'],
  generate: ['dev/generate.ts'],
  'fresh-start': ['dev/check-fresh-start.ts'],
  migrate: ['cli/main.ts', 'admin', 'migrate'],
  presswork: ['cli/main.ts'],
};

function install() {
  const lockFile = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const wanted = createHash('sha256').update(lockFile).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  if (!isInstalled(JSON.parse(lockFile).packages)) {
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
  }
  writeFileSync(stamp, wanted);
}

/** Whether npm has by other means, such as npm ci itself, installed exactly what the lock file names. */
function isInstalled(wanted) {
  const note = join(modules, '.package-lock.json');
  if (!existsSync(note) || !existsSync(node)) return false;
  const { packages: found } = JSON.parse(readFileSync(note, 'utf8'));
  const paths = Object.keys(wanted).filter((path) => path !== '');
  return (
    Object.keys(found).every((path) => path in wanted) &&
    paths.every((path) =>
      path in found
        ? found[path].version === wanted[path].version
        : Boolean(wanted[path].optional ?? wanted[path].devOptional),
    )
  );
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
const program = Object.hasOwn(programs, name ?? '') ? programs[name] : undefined;
if (!program) {
  console.error(`Unknown script ${name}. There are: ${Object.keys(programs).join(', ')}.`);
  process.exit(2);
}
// The command is started often, and by hand: whatever is installed will do.
if (name !== 'presswork' || !existsSync(node)) install();

const [file, ...given] = program;
const child = spawn(node, [join(root, file), ...given, ...args], {
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
const watching = setInterval(() => {
  if (ancestors.every(([pid, parent]) => parent === undefined || parentOf(pid) === parent)) return;
  // Once: asked a second time, the stack takes no more care.
  clearInterval(watching);
  child.kill('SIGTERM');
}, 300).unref();
child.on('error', (error) => {
  console.error(`The packages' Node does not start (${error.message}): remove node_modules and try again.`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
