import { isShown } from '../../../domain/cms/adapter.ts';
import type { CmsAdapter, PostChange, PushOutcome, PushTools, Remote } from '../../../domain/cms/adapter.ts';
import type { AddressPorts } from '../../http/checked-address.ts';
import { openAccess } from './access.ts';
import { arrived, decideAll, foldersOf, questionableFiles, readKnown } from './decide.ts';
import type { Decision, WantedFile } from './decide.ts';
import { failureOf, wasOvertaken } from './failures.ts';
import { markdownFiles, pathOf } from './markdown-file.ts';
import { createGit } from './program.ts';
import type { Git } from './program.ts';
import { blobsAt, commit, fetchHead, findBranch, initialise, pushCommit, storeBlobs } from './repository.ts';
import { inWorkspace } from './workspace.ts';

/** The most articles of one commit. */
const BATCH = 100;
/** For all commands of a push, and of a test. */
const PUSH_MS = 120_000;
const TEST_MS = 15_000;
/** How often a push begins anew, because others push to the same branch. */
const TRIES = 4;

type Tools = Pick<PushTools, 'signal' | 'keepHostKey'>;

/** Commits files to a repository, by the program git (domain/cms/README.md). */
export function createGitAdapter(ports: AddressPorts): CmsAdapter {
  /** Runs work on an empty repository that knows its remote. */
  const atRemote = <T>(
    remote: Remote,
    { signal, keepHostKey }: Tools,
    limitMs: number,
    work: (git: Git, folder: string) => Promise<T>,
  ): Promise<T> =>
    inWorkspace(async (folder) => {
      const { url, config, env, newHostKey } = await openAccess(remote, folder, ports);
      const git = createGit({ folder, config, env, limitMs, signal });
      try {
        await initialise(git, url);
        const result = await work(git, folder);
        const key = await newHostKey();
        if (key !== null) await keepHostKey(key);
        return result;
      } catch (error) {
        throw failureOf(error);
      }
    });

  return {
    batch: BATCH,
    test: (remote, tools) =>
      atRemote(remote, tools, TEST_MS, async (git, folder) => {
        const branch = remote.config['branch'] as string;
        const there = await findBranch(git, branch);
        const [blob = ''] = await storeBlobs(git, folder, ['']);
        const id = await commit(git, null, [{ path: 'test', blob }], 'Test', authorOf(remote));
        // Asks for the right to write, and writes nothing.
        await git.run(['push', '--quiet', '--dry-run', 'origin', `${id}:refs/heads/presswork-test`]);
        return there
          ? `The repository and its branch ${branch} can be written.`
          : `The repository has no commits yet; the first push makes the branch ${branch}.`;
      }),
    push: (remote, changes, tools) =>
      atRemote(remote, tools, PUSH_MS, async (git, folder) => {
        for (let tried = 1; ; tried++) {
          try {
            return await pushOnce(git, folder, remote, changes, tools);
          } catch (error) {
            if (tried === TRIES || !wasOvertaken(error)) throw error;
          }
        }
      }),
  };
}

async function pushOnce(
  git: Git,
  folder: string,
  remote: Remote,
  changes: readonly PostChange[],
  tools: PushTools,
): Promise<readonly PushOutcome[]> {
  const branch = remote.config['branch'] as string;
  const head = await fetchHead(git, branch);
  const wanted = await wantedFiles(git, folder, remote, changes);
  const there = await blobsAt(git, head, pathsOf(changes, wanted));
  const address = `${remote.config['remote_url']}#${branch}:`;
  const questionable = questionableFiles(changes, wanted, there);
  const ids = changes.map(({ articleId }) => articleId);
  const others = questionable.length === 0 ? [] : await tools.othersAt(questionable, ids);
  const decisions = decideAll({ changes, wanted, others }, there, (path) => `${address}${path}`);
  const files = decisions.flatMap(({ changes: own }) => own);
  if (files.length > 0) {
    const message = messageOf(changes, decisions);
    const id = await commit(git, head, files, message, authorOf(remote));
    for (const [index, { changes: own, outcome }] of decisions.entries()) {
      if (own.length === 0 || outcome.status !== 'succeeded') continue;
      const change = changes[index] as PostChange;
      await tools.intend(change.articleId, outcome.state, arrived(readKnown(change), there));
    }
    await pushCommit(git, id, branch);
  }
  return decisions.map(({ outcome }) => outcome);
}

/** The files that articles have to have, stored in the repository here. */
async function wantedFiles(
  git: Git,
  folder: string,
  { config }: Remote,
  changes: readonly PostChange[],
): Promise<readonly WantedFile[]> {
  const shown = changes.flatMap((change) => (isShown(change) && change.post ? [change.post] : []));
  const blobs = await storeBlobs(git, folder, markdownFiles(shown));
  const files = new Map(
    shown.map((post, index) => {
      const file = { path: pathOf(config['path'] ?? '', post), blob: blobs[index] as string };
      return [post.id, file] as const;
    }),
  );
  return changes.map(({ articleId }) => files.get(articleId) ?? null);
}

const pathsOf = (changes: readonly PostChange[], wanted: readonly WantedFile[]): readonly string[] => {
  const known = changes.flatMap((change) => {
    const { state, intent } = readKnown(change);
    return [state, intent].flatMap((file) => (file === null ? [] : [file.path ?? file.from]));
  });
  const next = wanted.flatMap((file) => (file === null ? [] : [...foldersOf(file.path), file.path]));
  return [...new Set([...known, ...next])];
};

const authorOf = ({ site }: Remote) => ({ name: site.name, email: `presswork@${site.domain}` });

/** The content of a commit, for people who read the log. */
function messageOf(changes: readonly PostChange[], decisions: readonly Decision[]): string {
  const done = changes.filter((_, index) => (decisions[index]?.changes.length ?? 0) > 0);
  const [only] = done;
  if (done.length !== 1 || only === undefined) return `Publish the changes of ${done.length} articles\n`;
  const title = only.post?.title?.replaceAll(/\s+/g, ' ').slice(0, 60) ?? only.articleId;
  return `${isShown(only) ? 'Publish' : 'Remove'} ${title}\n`;
}
