import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { changedFiles, repositoryFiles } from '../../../tools/dev/repository-files.ts';
import { createRepository } from './repositories.ts';

const create = () =>
  createRepository({ '.gitignore': 'ignored\n', same: '1', staged: '1', unstaged: '1', deleted: '1' });
let repository: ReturnType<typeof create>;

beforeEach(() => {
  repository = create();
});
afterEach(() => rmSync(repository.folder, { recursive: true }));

test('changed is what was committed on the branch, staged, not staged, new or deleted, and no ignored file', () => {
  const { folder, git, write } = repository;
  git('checkout', '--quiet', '-b', 'topic');
  write('committed', '1');
  git('add', 'committed');
  git('commit', '--quiet', '--message', 'Second');
  write('staged', '2');
  git('add', 'staged');
  write('unstaged', '2');
  write('new file', '1');
  write('ignored', '1');
  rmSync(join(folder, 'deleted'));
  const changed = changedFiles(folder);
  expect(changed.files.toSorted()).toEqual(['committed', 'new file', 'staged', 'unstaged']);
  expect(changed).toMatchObject({ deleted: 1, since: 'main' });
});

test('what main got meanwhile is no change of the branch', () => {
  const { folder, git, write } = repository;
  git('checkout', '--quiet', '-b', 'topic');
  git('checkout', '--quiet', 'main');
  write('of-main', '1');
  git('add', 'of-main');
  git('commit', '--quiet', '--message', 'Second');
  git('checkout', '--quiet', 'topic');
  expect(changedFiles(folder)).toEqual({ files: [], deleted: 0, since: 'main' });
});

test('on main of a clone, changed is what has not been pushed', () => {
  const { folder, git, write } = repository;
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  write('same', '2');
  git('commit', '--quiet', '--all', '--message', 'Second');
  expect(changedFiles(folder)).toEqual({ files: ['same'], deleted: 0, since: 'origin/main' });
});

test('without a branch main, changed is what has not been committed', () => {
  const { folder, git, write } = repository;
  git('branch', '--move', 'trunk');
  write('same', '2');
  expect(changedFiles(folder)).toEqual({ files: ['same'], deleted: 0, since: 'the last commit' });
});

test('files of a repository are the added and the new ones that are there, and no ignored ones', () => {
  const { folder, write } = repository;
  write('new file', '1');
  write('ignored', '1');
  rmSync(join(folder, 'deleted'));
  expect(repositoryFiles(folder).toSorted()).toEqual([
    '.gitignore',
    'new file',
    'same',
    'staged',
    'unstaged',
  ]);
});

test('a folder without commits is refused, and not taken for one without changes', () => {
  const { folder } = repository;
  rmSync(join(folder, '.git'), { recursive: true });
  expect(() => changedFiles(folder)).toThrow('no commit to compare with');
  expect(() => repositoryFiles(folder)).toThrow('no git repository');
});
