import { z } from 'zod';
import { isShown, neverThere } from '../../../domain/cms/adapter.ts';
import type { PostChange, PushOutcome } from '../../../domain/cms/adapter.ts';
import type { FileChange } from './repository.ts';

/** Where the file of an article is, as it was pushed; `path` is null once it was removed. */
const stored = z.union([
  z.object({ path: z.string(), blob: z.string() }),
  z.object({ path: z.null(), from: z.string() }),
]);
export type StoredFile = z.infer<typeof stored>;

/** What is known about the file of an article. */
export interface KnownFile {
  readonly state: StoredFile | null;
  readonly intent: StoredFile | null;
}

export const readKnown = ({ state, intent }: PostChange): KnownFile => ({
  state: stored.safeParse(state).data ?? null,
  intent: stored.safeParse(intent).data ?? null,
});

/** The file that an article has to have; null if it is not shown. */
export type WantedFile = { readonly path: string; readonly blob: string } | null;

/** What to do for an article: nothing or some changes, which make the outcome true. */
export interface Decision {
  readonly changes: readonly FileChange[];
  readonly outcome: PushOutcome;
}

type Blobs = ReadonlyMap<string, string>;

/** The file that a write has left there if its answer was lost, known by its intent; null if there is none. */
export function arrived({ intent }: KnownFile, there: Blobs): StoredFile | null {
  if (intent === null) return null;
  const isThere = intent.path === null ? !there.has(intent.from) : there.get(intent.path) === intent.blob;
  return isThere ? intent : null;
}

/** The folders above a file. */
export const foldersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));

/**
 * Decides what is committed together. A file that one article leaves can become that of another in the same commit.
 *
 * @param addressOf what a person finds a file by
 */
export function decideAll(
  changes: readonly PostChange[],
  wanted: readonly WantedFile[],
  there: Blobs,
  addressOf: (path: string) => string,
): Decision[] {
  const decideOn = (blobs: Blobs) => (change: PostChange, index: number) =>
    decide(change, wanted[index] ?? null, blobs, addressOf);
  const decisions = changes.map(decideOn(there));
  const left = new Map(there);
  for (const { changes: files } of decisions)
    for (const { path, blob } of files) if (blob === null) left.delete(path);
  return decisions.map((decision, index) =>
    decision.outcome.status === 'diverged' ? decideOn(left)(changes[index] as PostChange, index) : decision,
  );
}

function decide(
  change: PostChange,
  wanted: WantedFile,
  there: Blobs,
  addressOf: (path: string) => string,
): Decision {
  const known = readKnown(change);
  const last = arrived(known, there) ?? known.state;
  const diverged = (path: string, what: string): Decision => ({
    changes: [],
    outcome: {
      status: 'diverged',
      remoteUrl: addressOf(path),
      message: `The file ${path} ${what}. Push the article with force to overwrite that.`,
    },
  });
  if (wanted === null || !isShown(change)) {
    if (last === null) return { changes: [], outcome: { status: 'failed', failure: neverThere() } };
    if (last.path === null) return removed(last.from, []);
    const found = there.get(last.path);
    if (found !== undefined && found !== last.blob && !change.force)
      return diverged(last.path, 'was changed in the repository since the last push');
    return removed(last.path, found === undefined ? [] : [{ path: last.path, blob: null }]);
  }
  const found = there.get(wanted.path);
  const obstacle = foldersOf(wanted.path).find((folder) => there.get(folder)?.startsWith('tree ') === false);
  if (obstacle !== undefined && !change.force)
    return diverged(obstacle, 'is a file, a link or a submodule, and in the way of the folder');
  const moved = last !== null && last.path !== null && last.path !== wanted.path;
  if (!change.force) {
    if (last !== null && last.path !== null) {
      const before = there.get(last.path);
      const same = !moved && before === wanted.blob;
      if (before === undefined)
        return diverged(last.path, 'was deleted in the repository since the last push');
      if (before !== last.blob && !same)
        return diverged(last.path, 'was changed in the repository since the last push');
    }
    if ((last?.path ?? null) !== wanted.path && found !== undefined && found !== wanted.blob)
      return diverged(wanted.path, 'is in the repository and was not pushed there by this connection');
  }
  const changes = [
    ...(found === wanted.blob ? [] : [{ path: wanted.path, blob: wanted.blob }]),
    ...(moved && there.has(last.path) ? [{ path: last.path, blob: null }] : []),
  ];
  const { path, blob } = wanted;
  return { changes, outcome: { status: 'succeeded', remoteUrl: addressOf(path), state: { path, blob } } };
}

const removed = (from: string, changes: readonly FileChange[]): Decision => ({
  changes,
  outcome: { status: 'succeeded', remoteUrl: null, state: { path: null, from } },
});
