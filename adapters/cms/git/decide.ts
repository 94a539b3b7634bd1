import { z } from 'zod';
import { isShown, neverThere, PushFailure } from '../../../domain/cms/adapter.ts';
import type { PostChange, PushOutcome } from '../../../domain/cms/adapter.ts';
import type { FileChange } from './repository.ts';

/** Where the file of an article is, as it was pushed; `path` is null once it was removed. */
const stored = z.union([
  z.object({ path: z.string(), blob: z.string() }),
  z.object({ path: z.null(), from: z.string() }),
]);
export type StoredFile = z.infer<typeof stored>;

export interface KnownFile {
  readonly state: StoredFile | null;
  readonly intent: StoredFile | null;
}

export const readKnown = ({ state, intent }: Pick<PostChange, 'state' | 'intent'>): KnownFile => ({
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

interface Files {
  readonly there: Blobs;
  /** `there` without the files that articles of this push leave, which can become those of others. */
  readonly left: Blobs;
  /** Whether a file is that of another article by now. */
  readonly isTaken: (path: string) => boolean;
  /** The description by which a person finds a file. */
  readonly addressOf: (path: string) => string;
}

/** The paths of files that are not as they were pushed, or not pushed for their article: other articles may have them. */
export const questionableFiles = (
  changes: readonly PostChange[],
  wanted: readonly WantedFile[],
  there: Blobs,
): readonly string[] =>
  changes.flatMap((change, index) => {
    const known = readKnown(change);
    const last = arrived(known, there) ?? known.state;
    const own = last === null || last.path === null ? null : { path: last.path, blob: last.blob };
    const next = wanted[index] ?? null;
    const files = [own, next?.path === own?.path ? null : next].filter((file) => file !== null);
    return files
      .filter(({ path, blob }) => there.has(path) && there.get(path) !== blob)
      .map(({ path }) => path);
  });

/** The articles pushed together, and the states of others whose files are concerned. */
interface Pushed {
  readonly changes: readonly PostChange[];
  readonly wanted: readonly WantedFile[];
  readonly others: readonly Pick<PostChange, 'state' | 'intent'>[];
}

/** Decides which files are committed together. A file that one article leaves can become that of another in the same commit. */
export function decideAll(
  { changes, wanted, others }: Pushed,
  there: Blobs,
  addressOf: (path: string) => string,
): Decision[] {
  const owned = changes.map((change) => ownFile(readKnown(change), there));
  const ofOthers = new Set(others.map((other) => ownFile(readKnown(other), there)?.path));
  const isTakenFrom = (index: number) => (path: string) =>
    ofOthers.has(path) || owned.some((file, other) => other !== index && file?.path === path);
  // All are taken to leave until one does not, which can keep another from its file.
  const leaving = new Set(changes.keys());
  for (;;) {
    const left = new Map(there);
    for (const index of leaving) {
      const path = owned[index]?.path;
      if (path !== undefined && path !== wanted[index]?.path) left.delete(path);
    }
    const decisions = changes.map((change, index) =>
      decide(change, wanted[index] ?? null, { there, left, isTaken: isTakenFrom(index), addressOf }),
    );
    const staying = [...leaving].filter((index) => decisions[index]?.outcome.status !== 'succeeded');
    if (staying.length === 0) return decisions;
    for (const index of staying) leaving.delete(index);
  }
}

/** The file that is certainly the article's: as it was pushed. */
function ownFile(known: KnownFile, there: Blobs): WantedFile {
  const last = arrived(known, there) ?? known.state;
  return last !== null && last.path !== null && there.get(last.path) === last.blob ? last : null;
}

function decide(
  change: PostChange,
  wanted: WantedFile,
  { there, left, isTaken, addressOf }: Files,
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
    if (found === undefined || isTaken(last.path)) return removed(last.path, []);
    if (found !== last.blob && !change.force)
      return diverged(last.path, 'was changed in the repository since the last push');
    return removed(last.path, [{ path: last.path, blob: null }]);
  }
  const found = left.get(wanted.path);
  const obstacle = foldersOf(wanted.path).find((folder) => left.get(folder)?.startsWith('tree ') === false);
  if (obstacle !== undefined && !change.force)
    return diverged(obstacle, 'is a file, a link or a submodule, and in the way of the folder');
  const moved = last !== null && last.path !== null && last.path !== wanted.path;
  if (!change.force) {
    if (last !== null && last.path !== null && !(moved && isTaken(last.path))) {
      const before = there.get(last.path);
      const same = !moved && before === wanted.blob;
      if (before === undefined)
        return diverged(last.path, 'was deleted in the repository since the last push');
      if (before !== last.blob && !same)
        return diverged(last.path, 'was changed in the repository since the last push');
    }
    if (found !== undefined && isTaken(wanted.path))
      return { changes: [], outcome: { status: 'failed', failure: stillTaken(wanted.path) } };
    if ((last?.path ?? null) !== wanted.path && found !== undefined && found !== wanted.blob)
      return diverged(wanted.path, 'is in the repository and was not pushed there by this connection');
  }
  const changes = [
    ...(found === wanted.blob ? [] : [{ path: wanted.path, blob: wanted.blob }]),
    ...(moved && there.has(last.path) && !isTaken(last.path) ? [{ path: last.path, blob: null }] : []),
  ];
  const { path, blob } = wanted;
  return { changes, outcome: { status: 'succeeded', remoteUrl: addressOf(path), state: { path, blob } } };
}

/** Another article has given its slug away, and has not been pushed since: it may be in the next part of the same push. */
const stillTaken = (path: string): PushFailure =>
  new PushFailure(`The file ${path} is that of another article, which has to be pushed first.`, {
    ofArticle: true,
  });

const removed = (from: string, changes: readonly FileChange[]): Decision => ({
  changes,
  outcome: { status: 'succeeded', remoteUrl: null, state: { path: null, from } },
});
