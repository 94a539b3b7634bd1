import { read } from './execute.ts';
import type { CheckedRequest } from './execute.ts';
import type { Ports } from './ports.ts';
import type { Refusal, Reply } from './reply.ts';

/** A GET whose answer is being read while its key is still looked at. */
interface Ahead {
  readonly request: Promise<CheckedRequest>;
  readonly reply: Promise<Reply | Refusal>;
}

/**
 * Begins to read what a GET asks for under what is remembered of its key, so that it waits for the database once
 * instead of twice (docs/decisions/0035). Nothing of it may be shown before the key has turned out to be as it was.
 */
export function readAhead(ports: Ports, request: Promise<CheckedRequest>): Ahead {
  const reply = request.then((checked) => read(ports, checked));
  // What is wrong is said in its turn, after what is wrong with the key; or nobody asks any more.
  request.catch(() => {});
  reply.catch(() => {});
  return { request, reply };
}
