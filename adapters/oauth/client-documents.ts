import { LRUCache } from 'lru-cache';
import { readClient, readClientId } from '../../domain/oauth/client.ts';
import type { Client } from '../../domain/oauth/client.ts';
import { isAllowedHost } from '../../runtime/allowed-hosts.ts';
import type { AllowedHosts } from '../../runtime/allowed-hosts.ts';
import type { GuardedClient, GuardedResult } from '../http/guarded-client.ts';
import { NoTurn } from '../http/names.ts';

/** Why a client's metadata document cannot be used. */
export interface DocumentFailure {
  readonly failure: 'address' | 'unreachable' | 'status' | 'type' | 'content';
  /** In technical terms, for whoever wrote the client. */
  readonly detail: string;
}

/** Metadata documents of clients, which their ids are the addresses of. */
export interface ClientDocuments {
  /** The client, if its document was read a short while ago. */
  recall(clientId: string): Client | null;
  /**
   * Reads a document.
   *
   * @param share whose share of look-ups and connections is used
   * @throws NoTurn if too many requests or look-ups are in flight
   */
  read(clientId: string, share: string): Promise<Client | DocumentFailure>;
}

/** Bytes. A real document has hundreds. */
const LARGEST = 16_384;
const TIMEOUT_MS = 5_000;
/** Documents that are kept, some 10 MB at most. */
const KEPT = 500;
const KEPT_MS = 5 * 60_000;
const jsonType = /^application\/(?:[a-z0-9.!#$&^_-]{1,60}\+)?json$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @param allowedHosts hosts that the operator has exempted from https and the address rules */
export function createClientDocuments(
  http: GuardedClient,
  allowedHosts: AllowedHosts = new Set(),
): ClientDocuments {
  const kept = new LRUCache<string, Client>({ max: KEPT, ttl: KEPT_MS });
  return {
    recall: (clientId) => kept.get(clientId) ?? null,
    async read(clientId, share) {
      const id = readClientId(clientId, (url) => isAllowedHost(url, allowedHosts));
      if (id === null)
        return {
          failure: 'address',
          detail: 'client_id: must be an https URL with a path, as a URL parser writes it',
        };
      const client = clientOf(id, await get(http, id, share));
      if (!('failure' in client)) kept.set(clientId, client);
      return client;
    },
  };
}

const get = (http: GuardedClient, { href }: URL, share: string): Promise<GuardedResult> =>
  http.request({
    url: href,
    method: 'GET',
    headers: { accept: 'application/json', 'user-agent': 'presswork-oauth/1' },
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: LARGEST,
    redirects: 0,
    isolationKey: `oauth:${share}`,
    readBody: true,
  });

function clientOf(id: URL, result: GuardedResult): Client | DocumentFailure {
  if (result.outcome === 'failure') {
    const { error, status, detail, ours } = result;
    if (ours) throw new NoTurn(detail);
    return { failure: 'unreachable', detail: status === undefined ? error : `${error}, HTTP ${status}` };
  }
  const { status, headers, body = Buffer.alloc(0), bodyTruncated = false } = result;
  if (status !== 200) return { failure: 'status', detail: `HTTP ${status}` };
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (!jsonType.test(type.trim().toLowerCase()))
    return { failure: 'type', detail: 'Content-Type: must be application/json' };
  if (bodyTruncated) return { failure: 'content', detail: `more than ${LARGEST} bytes` };
  const client = readClient(id, parse(body));
  return 'problem' in client ? { failure: 'content', detail: client.problem } : client;
}

/** @returns undefined for text that is not JSON, which no document is */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body)) as unknown;
  } catch {
    return undefined;
  }
}
