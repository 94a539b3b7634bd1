import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';

/** Checks that documents stay as short as their readers need them. */

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** As `wc -w` counts. */
const count = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const words = (...paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + count(read(path)), 0);

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => `${folder}/${name}`);
const longest = (paths: readonly string[]): number => Math.max(...paths.map((path) => words(path)));

const cells = read('docs/security.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => line.split('|'));

const decisions = filesOf('docs/decisions');
const newcomersPath = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/ARCHITECTURE.md',
  'docs/glossary.md',
  'domain/README.md',
  'db/README.md',
];

/** Words, if the name says nothing else. */
const figures: readonly (readonly [name: string, is: number, atMost: number])[] = [
  ['README', words('README.md'), 700],
  ['SECURITY', words('SECURITY.md'), 150],
  ['longest cell of docs/security.md', Math.max(...cells.map(count)), 25],
  ['number of decisions', decisions.length, 40],
  ['longest decision', longest(decisions), 250],
  ['longest file of the runbook', longest([...filesOf('docs/runbook'), 'docs/runbook/README.md']), 2_500],
  ['docs/deploy.md', words('docs/deploy.md'), 2_500],
  ['CONTRIBUTING', words('CONTRIBUTING.md'), 1_800],
  ["a newcomer's path", words(...newcomersPath), 5_000],
];
console.log(figures.map(([name, is, atMost]) => `${name} ${is} of ${atMost}`).join(', '));

const problems = figures.filter(([, is, atMost]) => is > atMost);
for (const [name, is, atMost] of problems) console.error(`${name}: ${is}, at most ${atMost}`);
process.exit(problems.length === 0 ? 0 : 1);
