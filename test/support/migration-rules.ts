import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../../runtime/home.ts';

/** The first line of a migration that runs outside a transaction; db/migrate.ts reads it. */
const OUTSIDE = '-- Up Migration, without a transaction\n';

interface Finding {
  readonly file: string;
  readonly rule_name: string;
}

/** Squawk's findings in files that all run in a transaction, or all outside one. */
function squawk(paths: readonly string[], inTransaction: boolean): Finding[] {
  if (paths.length === 0) return [];
  const program = join(root, 'node_modules/.bin/squawk');
  const args = ['--reporter', 'json', '--config', join(root, '.squawk.toml')];
  const assumed = inTransaction ? ['--assume-in-transaction'] : [];
  const { stdout, error, stderr } = spawnSync(program, [...args, ...assumed, ...paths], { encoding: 'utf8' });
  if (error !== undefined || !stdout.startsWith('[')) throw new Error(`squawk did not run: ${stderr}`);
  return JSON.parse(stdout) as Finding[];
}

/** Our own rules: whether a statement, in lower case and with single spaces, violates each. */
const rules: Readonly<Record<string, (statement: string, outside: boolean, before: string) => boolean>> = {
  /** It reads the whole table, under a lock that blocks writes if its transaction has taken others. */
  'validate-outside-a-transaction': (statement, outside) =>
    /\bvalidate constraint\b/.test(statement) && !outside,
  /**
   * One statement over all rows locks them all, and leaves a dead copy of each: an activity should do it in batches.
   */
  'no-change-of-all-rows': (statement) => /^(update|delete from|merge into) /.test(statement),
  /** An interrupted attempt leaves an invalid index, which `if not exists` would accept. */
  'drop-before-concurrent-index': (statement, _outside, before) => {
    const name = /^create (?:unique )?index concurrently (?:if not exists )?(\w+)/.exec(statement)?.[1];
    return name !== undefined && !before.includes(`drop index concurrently if exists ${name};`);
  },
  /** Outside a transaction a second attempt starts from the beginning. */
  'bears-a-second-run': (statement, outside) =>
    outside &&
    !/^(create (unique )?index concurrently|drop index concurrently if exists|(alter table \w+ )?validate constraint|alter table \w+ validate constraint|set |reset )/.test(
      statement,
    ),
  /** Outside a transaction, db/migrate.ts sends the statements one by one, and splits them at line ends. */
  'no-dollar-quotes-outside': (statement, outside) => outside && statement.includes('$$'),
};

const statementsOf = (text: string): string[] =>
  text
    .replaceAll(/--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim().toLowerCase().replaceAll(/\s+/g, ' '))
    .filter((statement) => statement !== '');

function ownFindings(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const outside = text.startsWith(OUTSIDE);
  const statements = statementsOf(text);
  return statements.flatMap((statement, index) => {
    const before = statements.slice(0, index).join(';') + ';';
    return Object.keys(rules).filter((name) => rules[name]?.(statement, outside, before));
  });
}

/** @returns the violations of these migrations, as `file: rule` */
export function brokenRules(paths: readonly string[]): string[] {
  const outside = paths.filter((path) => readFileSync(path, 'utf8').startsWith(OUTSIDE));
  const inside = paths.filter((path) => !outside.includes(path));
  const found = [...squawk(inside, true), ...squawk(outside, false)].map(
    ({ file, rule_name: rule }) => `${basename(file)}: ${rule}`,
  );
  const own = paths.flatMap((path) => ownFindings(path).map((rule) => `${basename(path)}: ${rule}`));
  return [...found, ...own];
}
