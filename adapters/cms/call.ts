import type { Clock } from '../../domain/kernel/clock.ts';
import { PushFailure } from '../../domain/cms/adapter.ts';
import type { GuardedClient } from '../http/guarded-client.ts';
import { waitAskedFor } from './retry-after.ts';

/** A request to the API of another system. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: object;
  /** Sent as it is. */
  readonly bytes?: Buffer;
}

export interface Answer {
  readonly status: number;
  /** Null if it is not JSON. */
  readonly json: unknown;
}

interface Ports {
  readonly http: GuardedClient;
  readonly clock: Clock;
}

/** An answer shows a whole post. */
const ANSWER_BYTES = 4 * 2 ** 20;
const TIMEOUT_MS = 20_000;

const REFUSED =
  'does not accept the secret. Set a new one with PATCH /delivery/connections/{id}, and push again.';
const statuses: Readonly<Record<number, string>> = {
  401: REFUSED,
  403: 'does not allow this with the secret. Give its user that right, or set another secret with PATCH /delivery/connections/{id}.',
  413: 'refuses what is sent as too large.',
};

/**
 * Calls another system, through the guarded client. Redirects are not followed, so that the secret goes nowhere else.
 *
 * @param system its name, for a person
 * @throws PushFailure for a failure of the network, and for answers that are the same for every request
 */
export async function callSystem(
  { http, clock }: Ports,
  siteId: string,
  system: string,
  { method, url, headers, json, bytes }: Call,
): Promise<Answer> {
  const result = await http.request({
    url,
    method,
    headers: { accept: 'application/json', ...(json && { 'content-type': 'application/json' }), ...headers },
    body: json === undefined ? bytes : JSON.stringify(json),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: ANSWER_BYTES,
    redirects: 'returned',
    isolationKey: siteId,
    readBody: true,
  });
  if (result.outcome === 'failure')
    throw new PushFailure(`${system} could not be reached: ${result.error} (${result.detail}).`);
  const { status } = result;
  if (status >= 300 && status <= 399)
    throw new PushFailure(
      `The address of ${system} leads elsewhere. Set the address of the connection to where it leads.`,
      { final: true },
    );
  const known = statuses[status];
  if (known !== undefined)
    throw new PushFailure(`${system} ${known}`, { final: true, ofArticle: status === 413 });
  if (status === 429 || status >= 500)
    throw new PushFailure(`${system} answered ${status}.`, {
      retryAfterMs: waitAskedFor(status, result.headers, clock.now()),
    });
  return { status, json: result.bodyTruncated ? null : parsed(result.body) };
}

function parsed(body: Buffer | undefined): unknown {
  try {
    return JSON.parse(body?.toString('utf8') ?? '');
  } catch {
    return null;
  }
}

/** For a system that says it in another way than by 401. */
export const refusedSecret = (system: string): PushFailure =>
  new PushFailure(`${system} ${REFUSED}`, { final: true });

/** For an answer that the contract of the system does not have. */
export const unexpected = (system: string, { status, json }: Answer, said?: string): PushFailure =>
  new PushFailure(
    said === undefined
      ? `${system} answered ${status}${json === null ? ', and no JSON: is this the address of its API?' : ' in a form that is not its own.'}`
      : `${system} refused the article: ${said.slice(0, 300)}`,
    { final: status >= 400 && said !== undefined, ofArticle: said !== undefined },
  );
