import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../../runtime/home.ts';
import { createRepository, ownEnvironment } from './repositories.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let repository: ReturnType<typeof createRepository>;

/** As the launcher does after it has installed the packages. @returns what it printed */
function install(folder: string, env: NodeJS.ProcessEnv = {}): string {
  const module = pathToFileURL(join(root, 'tools/dev/git-hooks.mjs')).href;
  const text = `import { installGitHooks } from '${module}'; installGitHooks(${JSON.stringify(folder)});`;
  const options = {
    env: { ...ownEnvironment, ...env },
    encoding: 'utf8',
  } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', text],
    options,
  );
  expect(status).toBe(0);
  return stdout + stderr;
}

function equip(folder: string): void {
  for (const file of ['lefthook.yml', '.oxfmtrc.json', '.oxlintrc.json'])
    copyFileSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

const hook = (): string => join(repository.folder, '.git/hooks/pre-commit');

beforeEach(() => {
  repository = createRepository({ '.gitignore': 'node_modules\n' });
  equip(repository.folder);
});
afterEach(() => rmSync(repository.folder, { recursive: true }));

test('what is committed is formatted first, and what is not staged stays as it is', () => {
  const { folder, git, write } = repository;
  expect(install(folder)).toBe('');
  write('a.ts', 'export const  a = "a"\n');
  git('add', 'a.ts');
  write('b.ts', 'export const  b = "b"\n');
  git('commit', '--message', 'Second');
  expect(git('show', 'HEAD:a.ts')).toBe("export const a = 'a';\n");
  expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe("export const a = 'a';\n");
  expect(readFileSync(join(folder, 'b.ts'), 'utf8')).toBe('export const  b = "b"\n');
});

test('what the linter refuses is not committed', () => {
  const { folder, git, write } = repository;
  install(folder);
  const before = git('rev-parse', 'HEAD');
  write('a.ts', 'debugger;\n');
  git('add', 'a.ts');
  expect(() => git('commit', '--message', 'Second')).toThrow('no-debugger');
  expect(git('rev-parse', 'HEAD')).toBe(before);
});

test("somebody's own hook stays, and is named", () => {
  writeFileSync(hook(), '#!/bin/sh\n# Mine.\n', { mode: 0o755 });
  expect(install(repository.folder)).toContain(`${hook()} is not of this project`);
  expect(readFileSync(hook(), 'utf8')).toBe('#!/bin/sh\n# Mine.\n');
});

test("somebody's own folder of hooks stays", () => {
  repository.git('config', 'core.hooksPath', 'elsewhere');
  expect(install(repository.folder)).toBe('');
  expect(existsSync(hook())).toBe(false);
});

test('CI gets no hooks', () => {
  expect(install(repository.folder, { CI: 'true' })).toBe('');
  expect(existsSync(hook())).toBe(false);
});

test('what is no clone is left alone', () => {
  const folder = temporaryFolder();
  equip(folder);
  try {
    expect(install(folder)).toBe('');
    expect(readdirSync(folder).toSorted()).toEqual([
      '.oxfmtrc.json',
      '.oxlintrc.json',
      'lefthook.yml',
      'node_modules',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
