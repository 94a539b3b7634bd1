// The entry of every npm script. Runs on any Node from 20 on and with nothing installed: it installs the packages if
// needed, then hands over to the Node version among them.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installGitHooks } from './git-hooks.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const modules = join(root, 'node_modules');
const stamp = join(modules, '.installed-from');
const node = join(modules, 'node', 'bin', 'node');

const programs = {
  start: ['tools/dev/start.ts'],
  blog: ['tools/dev/blog.ts'],
  test: ['tools/dev/test.ts', 'in-process'],
  'test:processes': ['tools/dev/test.ts', 'processes'],
  'test:browser': ['tools/dev/test.ts', 'browser'],
  'test:all': ['tools/dev/test.ts', 'all'],
  'test:faults': ['tools/dev/test-faults.ts'],
  'test:databases': ['tools/dev/test-databases.ts'],
  'test:runtimes': ['tools/dev/test-runtimes.ts'],
  'test:systems': ['tools/dev/test-systems.ts'],
  check: ['tools/dev/check.ts'],
  bench: ['tools/bench/main.ts'],
  'bench:costs': ['tools/bench/costs/main.ts'],
  'bench:load': ['tools/bench/open-loop/main.ts'],
  'bench:soak': ['tools/bench/soak.ts'],
  eval: ['tools/eval/main.ts'],
  generate: ['tools/dev/generate.ts'],
  release: ['tools/dev/release.ts'],
  'fresh-start': ['tools/dev/check-fresh-start.ts'],
  migrate: ['cli/main.ts', 'admin', 'migrate'],
  presswork: ['cli/main.ts'],
};

// The settings that packages need, whatever the user's npm is set to. Which of them run scripts is in package.json (allowScripts).
const needed = [
  '--include=dev',
  '--ignore-scripts=false',
  '--bin-links=true',
  '--engine-strict=false',
  '--install-strategy=hoisted',
];

function install() {
  const lockFile = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const wanted = createHash('sha256').update(lockFile).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  if (!isInstalled(JSON.parse(lockFile).packages)) {
    console.error('Installing packages (npm ci), about a minute the first time …');
    const npm = process.env.npm_execpath;
    const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
    const result = spawnSync(
      command,
      [...args, 'ci', ...needed, '--no-audit', '--no-fund', '--loglevel=error'],
      { cwd: root, stdio: ['ignore', 2, 2] },
    );
    if (result.status !== 0) {
      console.error('npm ci failed; see its output above.');
      process.exit(1);
    }
  }
  installGitHooks(root);
  writeFileSync(stamp, wanted);
}

/** Whether the installed packages, for example by npm ci, are exactly those of the lock file. */
function isInstalled(wanted) {
  const note = join(modules, '.package-lock.json');
  if (!existsSync(note) || !existsSync(node)) return false;
  const { packages: found } = JSON.parse(readFileSync(note, 'utf8'));
  const paths = Object.keys(wanted).filter((path) => path.includes('node_modules/'));
  // npm may leave what belongs to a workspace out of its note.
  const isOfWorkspace = (path) => wanted[path].link || !path.startsWith('node_modules/');
  return (
    Object.keys(found).every((path) => path in wanted) &&
    paths.every((path) =>
      path in found
        ? found[path].version === wanted[path].version
        : Boolean(wanted[path].optional ?? wanted[path].devOptional) ||
          (isOfWorkspace(path) && existsSync(join(root, path))),
    )
  );
}

/** This machine is never asked through a proxy: it has the embedded servers. Other hosts may be. */
function withoutProxy() {
  const { no_proxy, NO_PROXY, no_grpc_proxy } = process.env;
  const own = ['127.0.0.1', 'localhost', '::1', process.env.HOST];
  const extended = (list) => (list?.trim() === '*' ? list : [list, ...own].filter(Boolean).join(','));
  const lists = { no_proxy: extended(no_proxy || NO_PROXY), NO_PROXY: extended(NO_PROXY || no_proxy) };
  return no_grpc_proxy ? { ...lists, no_grpc_proxy: extended(no_grpc_proxy) } : lists;
}

/** The command line of a process, on Linux. */
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

/** npm, and the shell it may have started in between: if one of them is killed, this ends too. */
function watchedAncestors() {
  if (!process.env.npm_lifecycle_event) return [];
  const parent = process.ppid;
  const between = commandLine(parent).includes('tools/dev/launch.mjs');
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
// The command is run often, and by hand, so it does not check the installed packages.
if (name !== 'presswork' || !existsSync(node)) install();

const [file, ...given] = program;
const PATH = `${dirname(node)}:${join(modules, '.bin')}:${process.env.PATH}`;
// Node's compiled code of the command is kept with the packages: it starts with half of the processor time.
const NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'presswork');
const child = spawn(node, [join(root, file), ...given, ...args], {
  cwd: name === 'presswork' ? process.cwd() : root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, ...withoutProxy(), PATH, ...(name === 'presswork' && { NODE_COMPILE_CACHE }) },
});
// A terminal sends Ctrl-C to the child as well, so a signal is forwarded only if it was sent to this process alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
const ancestors = name === 'start' ? watchedAncestors() : [];
const watching = setInterval(() => {
  if (ancestors.every(([pid, parent]) => parent === undefined || parentOf(pid) === parent)) return;
  // Forwarded once, because a second signal stops the stack without a graceful shutdown.
  clearInterval(watching);
  child.kill('SIGTERM');
}, 300).unref();
child.on('error', (error) => {
  console.error(`The packages' Node does not start (${error.message}): remove node_modules and try again.`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
