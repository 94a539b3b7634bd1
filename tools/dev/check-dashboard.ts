import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildDashboard } from './dashboard.ts';

/** Checks how much a person loads, gzipped, in kilobytes: dashboard/README.md. */

const SHELL = 144;
const SCREEN = 60;
const EDITOR = 220;
const STYLES = 40;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

const folder = await buildDashboard();
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>;

const size = (file: string): number => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
const kilobytes = (files: Iterable<string>): number =>
  Math.ceil([...files].reduce((sum, file) => sum + size(file), 0) / 1_000);

/** The scripts that an entry loads before it can be shown. */
function scripts(name: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (chunk === undefined || found.has(chunk.file)) return found;
  if (chunk.file.endsWith('.js')) found.add(chunk.file);
  for (const other of chunk.imports ?? []) scripts(other, found);
  return found;
}

const shell = scripts('index.html');
// Dialogs and the like are loaded by screens, and not by the shell.
const screens = (manifest['index.html']?.dynamicImports ?? []).filter((name) => name.startsWith('screens/'));
/** The code that a screen loads beyond the shell. */
const more = (screen: string): string[] => [...scripts(screen)].filter((file) => !shell.has(file));
const styles = new Set(manifest['index.html']?.css);
const budgets = [
  { what: 'shell', used: kilobytes(shell), limit: SHELL },
  { what: 'styles', used: kilobytes(styles), limit: STYLES },
  ...screens.map((name) => ({
    what: name,
    used: kilobytes(more(name)),
    limit: name.startsWith('screens/editor/') ? EDITOR : SCREEN,
  })),
];

for (const { what, used, limit } of budgets) console.log(`${used} of ${limit} KB  ${what}`);
const broken = budgets.filter(({ used, limit }) => used > limit);
for (const { what, used, limit } of broken) console.log(`${what} has ${used} KB; its budget is ${limit} KB.`);
process.exit(broken.length === 0 && screens.length > 0 ? 0 : 1);
