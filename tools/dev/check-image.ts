import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, normalize } from 'node:path';
import { root } from '../../runtime/home.ts';

/**
 * Checks, without building the image, that it contains every file that its programs load, and that they load no
 * development package, because those are not installed there.
 */

/**
 * The programs that the image starts. Files that they start or read by `new URL(…, import.meta.url)` are found from
 * there.
 */
const programs: readonly string[] = [
  'api/main.ts',
  'worker/main.ts',
  'worker/bundle.ts',
  'worker/failure-converter.ts',
  'workflows/index.ts',
  'workflows/tracing.ts',
  'cli/main.ts',
  'adapters/images/decode-main.ts',
  'adapters/untrusted-text/main.ts',
  'runtime/run.sh',
];

interface Dependency {
  readonly resolved: string;
  readonly dependencyTypes: readonly string[];
}

/** All modules found by dependency-cruiser, by their path from the root. */
type Imports = ReadonlyMap<string, readonly Dependency[]>;

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

function readImports(entries: readonly string[]): Imports {
  const said = execFileSync(
    join(root, 'node_modules/.bin/depcruise'),
    ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...entries],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 },
  );
  const { modules } = JSON.parse(said) as { modules: { source: string; dependencies: Dependency[] }[] };
  return new Map(modules.map(({ source, dependencies }) => [source, dependencies]));
}

const ignored = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The last line that names a path decides; one that begins with `!` keeps it. */
function isIgnored(path: string): boolean {
  const last = ignored.findLast((line) => {
    const pattern = line.replace(/^!/, '');
    return isBelow(path, pattern) || matchesGlob(path, pattern);
  });
  return last !== undefined && !last.startsWith('!');
}

/** Files that a module reads or starts. */
function namedByUrl(path: string): readonly string[] {
  const names = [...read(path).matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)];
  return names.map(([, name = '']) => normalize(join(dirname(path), name)));
}

/** The files that the programs load, and the development packages among their imports. */
function loaded(entries: readonly string[], imports: Imports) {
  const files = new Set<string>();
  const development = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    files.add(path);
    if (!path.endsWith('.ts')) continue;
    for (const { resolved, dependencyTypes } of imports.get(path) ?? []) {
      if (dependencyTypes.includes('type-only') || dependencyTypes.includes('core')) continue;
      if (dependencyTypes.includes('npm-dev')) development.add(`${resolved}, which ${path} loads`);
      if (dependencyTypes.includes('local')) waiting.push(resolved);
    }
    waiting.push(...namedByUrl(path));
  }
  return { files: [...files].sort(), development: [...development].sort() };
}

const mistakes: string[] = [];
if (!/^COPY \. \.$/m.test(read('Dockerfile')))
  mistakes.push('The Dockerfile does not copy what .dockerignore leaves');
const imports = readImports(programs.filter((path) => path.endsWith('.ts')));
const { files, development } = loaded(programs, imports);
for (const file of files) {
  if (!existsSync(join(root, file))) mistakes.push(`${file} does not exist`);
  else if (isIgnored(file)) mistakes.push(`.dockerignore leaves out ${file}`);
  else if (file.endsWith('.ts') && !imports.has(file)) mistakes.push(`name ${file} as a program`);
}
for (const name of development) mistakes.push(`not installed in the image: ${name}`);
for (const mistake of mistakes) console.error(mistake);
console.log(`${files.length} files that the image's programs load`);
process.exit(mistakes.length === 0 ? 0 : 1);
