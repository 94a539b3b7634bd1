import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { rooms } from './rooms.ts';

export interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** Appears in its output if it examined something. A check that examined nothing has not passed, despite exit code 0. */
  readonly proves?: RegExp;
  /** Its output is shown even if it passed. */
  readonly shown?: true;
  /** It reads nothing but code, so once it has passed it is run again only after a change of code. */
  readonly ofCode?: true;
  /**
   * The command for changed files alone, or null if it looks at none of them. Without it, the check is left to a run
   * of all.
   */
  readonly ofChanged?: (files: readonly string[]) => readonly string[] | null;
}

/** Results that make the next run faster, and know the files of this clone by their whole paths. */
export const kept = join(root, '.cache/check');

const bin = (name: string): string => join(root, 'node_modules/.bin', name);
const tool = (name: string): readonly string[] => [process.execPath, join(root, 'tools/dev', name)];

const isCode = (file: string): boolean => /\.(ts|mts|tsx|mjs|js)$/.test(file);
/** Other files that compilers and generators read. */
const isData = (file: string): boolean => /\.(json|css|html)$/.test(file);
/** oxlint does not look there: .oxlintrc.json. */
const isLinted = (file: string): boolean => isCode(file) && !/^(docs|sdk\/src\/generated)\//.test(file);

/** Where cspell looks: cspell.json. */
const isSpelled = (file: string): boolean => isCode(file) || /\.(md|sql|ya?ml|sh|toml)$/.test(file);

const command = (base: readonly string[], files: readonly string[]): readonly string[] | null =>
  files.length === 0 ? null : [...base, ...files];
/** The whole check, if one of the files is of a kind. */
const wholeIf =
  (whole: readonly string[], isOfKind: (file: string) => boolean) =>
  (files: readonly string[]): readonly string[] | null =>
    files.some(isOfKind) ? whole : null;

const format = [bin('oxfmt'), '--check', '--no-error-on-unmatched-pattern'];
const lint = [bin('oxlint'), '--type-aware', '--deny-warnings'];
const compile = (name: string, folder: string): readonly string[] => {
  const state = join(kept, `${name}.tsbuildinfo`);
  return [
    bin('tsc'),
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    state,
    '--project',
    join(root, folder),
  ];
};
const types = compile('product', '');
const typesOfDashboard = compile('dashboard', 'dashboard');
const boundaries = [bin('depcruise'), '--config', '.dependency-cruiser.mjs'];
const bounded = [...rooms.filter(({ imports }) => imports !== null).map(({ path }) => path), 'test'];
const spelling = [
  bin('cspell'),
  'lint',
  '--no-progress',
  '--no-must-find-files',
  '--cache',
  '--cache-strategy',
  'content',
  '--cache-location',
  join(kept, 'cspell'),
];
const manifests = tool('check-manifests.ts');
const documents = tool('check-documents.ts');
const generated = [...tool('generate.ts'), '--check'];

/** Those that take longest come first, so that none of them is left alone at the end. */
export const checks: readonly Check[] = [
  {
    name: 'lint',
    command: [...lint, '.'],
    proves: /on [1-9]\d* files?/,
    ofCode: true,
    ofChanged: (files) => command(lint, files.filter(isLinted)),
  },
  {
    name: 'types',
    command: types,
    ofCode: true,
    ofChanged: wholeIf(types, (file) => isCode(file) || isData(file)),
  },
  {
    name: 'spelling',
    command: spelling,
    proves: /Files checked: [1-9]/,
    ofChanged: (files) => command(spelling, files.filter(isSpelled)),
  },
  {
    name: 'boundaries',
    command: [...boundaries, ...bounded],
    proves: /\(([1-9]\d*) modules/,
    ofCode: true,
    // Their direct imports, and no further.
    ofChanged: (files) =>
      command(
        [...boundaries, '--max-depth', '1'],
        files.filter((file) => isCode(file) && bounded.some((room) => file.startsWith(`${room}/`))),
      ),
  },
  {
    name: 'types of the dashboard',
    command: typesOfDashboard,
    ofCode: true,
    ofChanged: wholeIf(typesOfDashboard, (file) => isCode(file) || isData(file)),
  },
  {
    name: 'size of the dashboard',
    command: tool('check-dashboard.ts'),
    proves: /^[1-9]\d* of \d+ KB {2}shell$/m,
    ofCode: true,
  },
  { name: 'dead code', command: [bin('knip')], ofCode: true },
  { name: 'image', command: tool('check-image.ts'), proves: /^[1-9]\d{2,} files/m, ofCode: true },
  {
    name: 'manifests',
    command: manifests,
    proves: /^([1-9]\d+ manifests|not checked)/m,
    ofChanged: wholeIf(manifests, (file) => file.startsWith('deploy/kubernetes/')),
  },
  {
    name: 'generated files',
    command: generated,
    ofChanged: wholeIf(
      generated,
      (file) => isCode(file) || isData(file) || /^(docs|deploy\/prometheus)\/|ignore$/.test(file),
    ),
  },
  {
    name: 'references',
    command: tool('check-references.ts'),
    proves: /^[1-9]\d{2,} references/m,
    ofChanged: () => tool('check-references.ts'),
  },
  { name: 'structure', command: tool('check-structure.ts'), proves: /^product [1-9]/m, shown: true },
  {
    name: 'documents',
    command: documents,
    proves: /^README [1-9]/m,
    shown: true,
    ofChanged: wholeIf(documents, (file) => file.endsWith('.md')),
  },
  {
    name: 'format',
    command: [...format, '.'],
    proves: /on [1-9]\d* files?/,
    ofChanged: (files) => command(format, files),
  },
];
