import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { root } from '../../runtime/home.ts';
import { checks, kept } from './checks.ts';
import type { Check } from './checks.ts';
import { passedBefore } from './passed-before.ts';
import { changedFiles, repositoryFiles } from './repository-files.ts';

/** Runs every check, even if one fails; with --changed, only for changed files, in seconds. */

type Outcome = 'passed' | 'FAILED' | 'nothing';

interface Result {
  readonly outcome: Outcome;
  readonly said: string;
}

/** Runs a command of a check. One that examined nothing says so by its outcome. */
function run([program = '', ...args]: readonly string[], proves: RegExp | undefined): Promise<Result> {
  const options = { cwd: root, maxBuffer: 64 * 2 ** 20 };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`.trim();
      if (error !== null) resolve({ outcome: 'FAILED', said: said || error.message });
      else resolve({ outcome: proves === undefined || proves.test(said) ? 'passed' : 'nothing', said });
    });
  });
}

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** Runs as many at a time as there are processors, and prints each when it has ended. */
async function sideBySide(names: readonly Check[], one: (check: Check) => Promise<Result>) {
  const counts: Record<Outcome, number> = { passed: 0, FAILED: 0, nothing: 0 };
  const waiting = [...names];
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const started = Date.now();
      const { outcome, said } = await one(check);
      counts[outcome] += 1;
      console.log(`${outcome.padEnd(7)}  ${check.name}  (${seconds(started)})`);
      if (outcome === 'FAILED' || check.shown) console.log(said);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return counts;
}

async function checkAll(): Promise<number> {
  const before = passedBefore(root, repositoryFiles(root), kept);
  const unchanged = checks.filter(({ name, ofCode }) => ofCode && before.has(name));
  for (const { name } of unchanged) console.log(`passed   ${name}  (before; no code has changed since)`);
  const rest = checks.filter((check) => !unchanged.includes(check));
  const counts = await sideBySide(rest, async ({ name, command, proves, ofCode }) => {
    const { outcome, said } = await run(command, proves);
    if (outcome === 'passed' && ofCode) before.add(name);
    if (outcome === 'nothing') return { outcome: 'FAILED', said: `it examined nothing\n${said}` };
    return { outcome, said };
  });
  console.log(`${counts.passed + unchanged.length} passed, ${counts.FAILED} failed`);
  return counts.FAILED;
}

async function checkChanged(): Promise<number> {
  const { files, deleted, since } = changedFiles(root);
  if (files.length + deleted === 0) {
    console.log(`nothing changed since ${since}`);
    return 0;
  }
  console.log(`${files.length} files changed and ${deleted} deleted since ${since}`);
  const commands = new Map(checks.map((check) => [check, check.ofChanged?.(files) ?? null]));
  const looking = checks.filter((check) => commands.get(check) !== null);
  const counts = await sideBySide(looking, (check) => run(commands.get(check) ?? [], check.proves));
  const others = checks.filter(({ ofChanged }) => ofChanged === undefined).map(({ name }) => name);
  console.log(`left to npm run check: ${others.join(', ')}, and what the rest says about other files`);
  console.log(`${counts.passed} passed, ${counts.FAILED} failed`);
  return counts.FAILED;
}

const args = process.argv.slice(2);
if (args.some((arg) => arg !== '--changed')) {
  console.error('npm run check, or npm run check -- --changed');
  process.exit(2);
}
const failed = await (args.includes('--changed') ? checkChanged() : checkAll());
process.exit(failed === 0 ? 0 : 1);
