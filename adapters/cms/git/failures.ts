import { PushFailure } from '../../../domain/cms/adapter.ts';
import { GitFailed, tookTooMuchMemory } from './program.ts';

const SET_SECRET = 'Set a new secret with PATCH /delivery/connections/{id}, and push again.';

/**
 * What git and ssh write to stderr, what it means to a person, and whether another attempt would fail too. A remote has
 * its own words among it, so patterns take linear time: none has `.*` or another repetition without a bound.
 */
const meanings: readonly (readonly [RegExp, message: string, final: boolean])[] = [
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/,
    'The server of the repository has another key than before, which may be an attack. If its key was changed on purpose, create the connection anew.',
    true,
  ],
  [
    /Permission denied \(publickey|Load key (?:\S+ ){1,5}(?:invalid format|error in libcrypto)/,
    `The server of the repository does not accept the private key. ${SET_SECRET}`,
    true,
  ],
  [
    /Authentication failed|could not read (?:Username|Password)|returned error: 401/,
    `The repository does not accept the secret. ${SET_SECRET}`,
    true,
  ],
  [
    /returned error: 403/,
    `The secret does not allow to write to the repository. Give it that right, or set another one with PATCH /delivery/connections/{id}.`,
    true,
  ],
  [
    /returned error: 404|[Rr]epository (?:\S+ ){0,5}not found|does not appear to be a git repository|info\/refs not valid/,
    'There is no such repository, or the secret does not allow to see it. Check the remote_url of the connection.',
    true,
  ],
  [
    /returned error: 30[1278]|[Uu]nable to follow|redirect/,
    'The address of the repository leads elsewhere. Set the remote_url of the connection to where it leads.',
    true,
  ],
  [
    /cannot run ssh|ssh: not found/,
    'The program ssh is not installed where pushes are made. Ask the operator of the service to install it.',
    true,
  ],
  [
    /SSL certificate|server certificate|certificate problem/,
    'The certificate of the repository’s server is not valid.',
    false,
  ],
  [
    // A program that git started says nothing if the system has ended it.
    /[Oo]ut of memory|[Cc]annot allocate memory|died of signal/,
    tookTooMuchMemory().message,
    true,
  ],
  [
    /pre-receive hook declined|protected branch|hook declined/,
    'The repository refuses commits to this branch. Allow them for the connection’s user, or set another branch.',
    true,
  ],
];

/** Why git failed, without anything that could be a secret. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof GitFailed)) return error;
  const text = `${error.stderr}\n${error.stdout}`;
  for (const [pattern, message, final] of meanings)
    if (pattern.test(text)) return new PushFailure(message, { final, cause: error });
  const status = /returned error: (\d{3})/.exec(text)?.[1];
  const what = status === undefined ? reasonIn(text) : `it answered ${status}`;
  return new PushFailure(`The repository could not be reached: ${what}.`, { cause: error });
}

/** Known phrases only: the rest of a remote's message may quote a secret. */
const phrases = [
  'Connection refused',
  'Connection timed out',
  'Connection reset',
  'Could not resolve host',
  'Failed to connect',
  'Empty reply from server',
  'the remote end hung up unexpectedly',
  'unexpected disconnect',
  'early EOF',
  'Operation too slow',
  'RPC failed',
] as const;

const reasonIn = (text: string): string =>
  phrases.find((phrase) => text.includes(phrase))?.toLowerCase() ?? 'git failed';

/** Whether a push lost the race with another commit, and may be made again on top of it. */
export const wasOvertaken = (error: unknown): boolean =>
  error instanceof GitFailed &&
  /\[rejected\]|non-fast-forward|fetch first|stale info|cannot lock ref|failed to update ref|incorrect old value/.test(
    `${error.stdout}\n${error.stderr}`,
  ) &&
  !/hook declined/.test(error.stderr);
