import type { LookupAddress } from 'node:dns';
import { Socket } from 'node:net';
import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { type buildConnector, Pool } from 'undici';
import { withoutRootDots } from '../../runtime/allowed-hosts.ts';
import { literalAddress } from './target.ts';

/** Creates the function that opens sockets: undici's `buildConnector`, or a wrapper of it. */
export type ConnectorFactory = (options: buildConnector.BuildOptions) => buildConnector.connector;

export interface PoolsOptions {
  buildConnector: ConnectorFactory;
  /** Certificate authorities to trust in place of the system's, in PEM. */
  ca?: string | Buffer | undefined;
  /** Maximum pools; the least recently used is closed first. */
  maxPools: number;
}

/** How long an idle connection is kept, in milliseconds: less than the 5 s of many servers. */
const KEEP_ALIVE_MS = 4_000;

/** Time-out for opening a socket, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connection pools, one per isolation key, origin and set of checked addresses. So a connection is never shared between
 * keys, and never leads to an address that was not checked for its request.
 */
export class Pools {
  readonly #options: PoolsOptions;
  readonly #pools: LRUCache<string, Pool>;
  readonly #retiring = new Set<Pool>();
  /** Sockets being opened, which destroying a pool leaves open. Passing them one signal would leak every socket. */
  readonly #opening = new Set<Socket>();

  constructor(options: PoolsOptions) {
    this.#options = options;
    this.#pools = new LRUCache({
      max: options.maxPools,
      dispose: (pool, _, reason) => {
        if (reason === 'evict') this.#retire(pool);
      },
    });
  }

  /**
   * The pool to send a request through.
   *
   * @param addresses the checked addresses of the URL's host; empty if the host is an address
   */
  get(isolationKey: string, url: URL, addresses: readonly LookupAddress[]): Pool {
    const key = `${isolationKey}\n${url.origin}\n${addressKey(addresses)}`;
    let pool = this.#pools.get(key);
    if (pool === undefined) {
      pool = this.#open(url, addresses);
      this.#pools.set(key, pool);
    }
    return pool;
  }

  /** Closes every connection at once; requests in flight fail. */
  async close(): Promise<void> {
    const all = [...this.#pools.values(), ...this.#retiring];
    this.#pools.clear();
    for (const socket of this.#opening) socket.destroy(new Error('The client has been closed'));
    await Promise.all(all.map((pool) => pool.destroy()));
  }

  #open(url: URL, addresses: readonly LookupAddress[]): Pool {
    const { buildConnector, ca } = this.#options;
    const secure = url.protocol === 'https:' && {
      ca,
      rejectUnauthorized: true,
      // SNI and certificates use the host without the trailing dot.
      ...(literalAddress(url) === undefined && { servername: withoutRootDots(url.hostname) }),
    };
    const connect = buildConnector({
      lookup: pinnedTo(addresses),
      timeout: CONNECT_TIMEOUT_MS,
      allowH2: false,
      ...secure,
    });
    return new Pool(url.origin, {
      connect: (target, answer) => this.#noteOpening(connect(target, answer)),
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // The exchange has its own time-outs.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** @param opened a connector's return value: the socket if it opens one, although its type does not say so */
  #noteOpening(opened: unknown): void {
    if (!(opened instanceof Socket)) return;
    this.#opening.add(opened);
    const forget = (): boolean => this.#opening.delete(opened);
    opened.once('close', forget).once(opened instanceof TLSSocket ? 'secureConnect' : 'connect', forget);
  }

  #retire(pool: Pool): void {
    this.#retiring.add(pool);
    // Closing waits for requests in flight.
    pool.close(() => this.#retiring.delete(pool));
  }
}

function addressKey(addresses: readonly LookupAddress[]): string {
  if (addresses.length < 2) return addresses[0]?.address ?? '';
  // Resolvers rotate their answers; the same set is the same destination.
  return addresses
    .map(({ address }) => address)
    .sort()
    .join(' ');
}

/** A look-up that only returns the checked addresses, so that a connection cannot lead anywhere else. */
function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (hostname, options, callback) => {
    const [first] = addresses;
    if (first === undefined) {
      callback(Object.assign(new Error(`${hostname} was not resolved`), { code: 'ENOTFOUND' }), '', 0);
    } else if (options.all) {
      callback(null, [...addresses]);
    } else {
      callback(null, first.address, first.family);
    }
  };
}
