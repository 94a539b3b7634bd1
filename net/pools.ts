import type { LookupAddress } from 'node:dns';
import { Socket } from 'node:net';
import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type buildConnector, Pool } from 'undici';
import { withoutRootDots } from './allowed-hosts.ts';
import { literalAddress } from './target.ts';

/** Makes the function that opens sockets; undici's `buildConnector` or one that wraps it. */
export type ConnectorFactory = (options: buildConnector.BuildOptions) => buildConnector.connector;

export interface PoolsOptions {
  buildConnector: ConnectorFactory;
  /** Certificate authorities to trust in place of the system's, in PEM. */
  ca?: string | Buffer | undefined;
  /** How many pools are kept; the one unused for longest goes first. */
  maxPools: number;
}

/** How long an idle connection is kept, in milliseconds: less than the 5 s after which many servers close theirs. */
const KEEP_ALIVE_MS = 4_000;

/** A socket that is still being opened this many milliseconds later is given up, whoever waits for it. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connection pools, each for one isolation key, one origin and one set of checked addresses: a connection is never
 * shared between keys, and never leads to an address that was not checked for the request it carries.
 */
export class Pools {
  readonly #options: PoolsOptions;
  /** In the order of their last use. */
  readonly #pools = new Map<string, Pool>();
  readonly #retiring = new Set<Pool>();
  /** Destroying a pool leaves sockets that are still being opened. A signal given to them all would keep each for good. */
  readonly #opening = new Set<Socket>();

  constructor(options: PoolsOptions) {
    this.#options = options;
  }

  /**
   * The pool to send a request through.
   *
   * @param addresses the checked addresses of the URL's host; none when the URL names an address itself
   */
  get(isolationKey: string, url: URL, addresses: readonly LookupAddress[]): Pool {
    const key = `${isolationKey}\n${url.origin}\n${addressKey(addresses)}`;
    let pool = this.#pools.get(key);
    if (pool === undefined) pool = this.#open(url, addresses);
    else this.#pools.delete(key);
    this.#pools.set(key, pool);
    if (this.#pools.size > this.#options.maxPools) this.#retireOldest();
    return pool;
  }

  /** Ends every connection at once; what is under way on them fails. */
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
      // SNI and certificates name a host without the dot of the root.
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
      // The exchange bounds both itself.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** @param opened what a connector returns, which its type does not say: the socket, where it opens one */
  #noteOpening(opened: unknown): void {
    if (!(opened instanceof Socket)) return;
    this.#opening.add(opened);
    const forget = (): boolean => this.#opening.delete(opened);
    opened.once('close', forget).once(opened instanceof TLSSocket ? 'secureConnect' : 'connect', forget);
  }

  #retireOldest(): void {
    const [oldest] = this.#pools;
    if (oldest === undefined) return;
    const [key, pool] = oldest;
    this.#pools.delete(key);
    this.#retiring.add(pool);
    // Closing lets what is under way end first.
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

/** A look-up that knows nothing but the checked addresses, so that a connection cannot lead anywhere else. */
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
