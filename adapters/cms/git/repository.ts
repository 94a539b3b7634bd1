import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PushFailure } from '../../../domain/cms/adapter.ts';
import type { Git } from './program.ts';

/** The newest commit of a branch; null in a repository without commits. */
export type Head = string | null;

/** A file of a commit that is written or, with null, removed. */
export interface FileChange {
  readonly path: string;
  readonly blob: string | null;
}

export interface Author {
  readonly name: string;
  readonly email: string;
}

/** Prepares an empty repository that knows its remote. */
export async function initialise(git: Git, url: string): Promise<void> {
  await git.run(['init', '--quiet', '--bare', '.']);
  await git.run(['remote', 'add', 'origin', url]);
}

/**
 * Looks at the remote.
 *
 * @returns whether it has any commit
 * @throws PushFailure if it has commits, and not the branch
 */
export async function findBranch(git: Git, branch: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  const found = await git.run(['ls-remote', '--quiet', 'origin', 'HEAD', ref]);
  if (found.split('\n').some((line) => line.endsWith(`\t${ref}`))) return true;
  if (found.trim() === '') return false;
  throw new PushFailure(
    `The repository has no branch ${branch}. Create it, or set another branch with PATCH /delivery/connections/{id}.`,
    { final: true },
  );
}

/** Fetches the newest commit of the branch with its trees and, if the server can leave them out, without its files. */
export async function fetchHead(git: Git, branch: string): Promise<Head> {
  if (!(await findBranch(git, branch))) return null;
  await git.run([
    'fetch',
    '--quiet',
    '--depth=1',
    '--filter=blob:none',
    '--no-tags',
    'origin',
    `+refs/heads/${branch}:refs/presswork/head`,
  ]);
  return (await git.run(['rev-parse', 'refs/presswork/head'])).trim();
}

/** The files of a commit among some paths, with their blobs. */
export async function blobsAt(
  git: Git,
  head: Head,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (head === null || paths.length === 0) return new Map();
  const listed = await git.run(['ls-tree', '-z', '--full-tree', head, '--', ...paths]);
  return new Map(
    listed.split('\0').flatMap((line) => {
      const [about = '', path = ''] = line.split('\t');
      const [, type, blob = ''] = about.split(' ');
      return type === undefined ? [] : [[path, type === 'blob' ? blob : `${type} ${blob}`] as const];
    }),
  );
}

/** Stores texts as blobs, and holds one at a time. @returns their ids, in the same order */
export async function storeBlobs(
  git: Git,
  folder: string,
  texts: Iterable<string>,
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const text of texts) {
    const file = join(folder, `text-${files.length}`);
    await writeFile(file, text);
    files.push(file);
  }
  if (files.length === 0) return [];
  const ids = await git.run(['hash-object', '-w', '--no-filters', '--stdin-paths'], `${files.join('\n')}\n`);
  return ids.trim().split('\n');
}

/** Makes a commit on top of another. @returns its id */
export async function commit(
  git: Git,
  head: Head,
  changes: readonly FileChange[],
  message: string,
  { name, email }: Author,
): Promise<string> {
  await git.run(['read-tree', ...(head === null ? ['--empty'] : [head])]);
  const nothing = '0'.repeat((head ?? changes[0]?.blob ?? '').length);
  // Removals first: a file may make room for a folder.
  const lines = changes
    .toSorted((one, other) => Number(one.blob !== null) - Number(other.blob !== null))
    .map(({ path, blob }) => (blob === null ? `0 ${nothing}\t${path}` : `100644 ${blob}\t${path}`));
  await git.run(['update-index', '--add', '-z', '--index-info'], lines.map((line) => `${line}\0`).join(''));
  const tree = (await git.run(['write-tree', '--missing-ok'])).trim();
  const identity = ['-c', `user.name=${name}`, '-c', `user.email=${email}`];
  const parent = head === null ? [] : ['-p', head];
  return (await git.run([...identity, 'commit-tree', tree, ...parent, '-F', '-'], message)).trim();
}

/** Pushes a commit. Never by force: another commit on the branch refuses it. */
export const pushCommit = async (git: Git, id: string, branch: string): Promise<void> => {
  await git.run(['push', '--quiet', '--porcelain', '--no-verify', 'origin', `${id}:refs/heads/${branch}`]);
};
