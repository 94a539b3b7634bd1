import type { LookupAddress } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { withoutRootDots } from '../../runtime/allowed-hosts.ts';
import { literalAddress } from './target.ts';

export interface ConnectionsOptions {
  /** Certificate authorities to trust in place of the system's, in PEM. */
  ca?: string | Buffer | undefined;
  /** Maximum idle connections; the least recently used is closed first. */
  maxIdle: number;
  /** Changes the options of a socket, for tests. */
  reroute?: Reroute | undefined;
}

export type Reroute = (options: http.ClientRequestArgs) => http.ClientRequestArgs;

/** Where a request goes, and for whom. */
export interface Destination {
  readonly url: URL;
  /** The checked addresses of the URL's host; empty if the host is an address. */
  readonly addresses: readonly LookupAddress[];
  /** Connections are reused under the same key only. */
  readonly isolationKey: string;
}

export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | undefined;
}

/** How long an idle connection is kept, in milliseconds: less than the 5 s of many servers. */
const KEEP_ALIVE_MS = 4_000;

type Options = https.RequestOptions & { readonly reusableFor?: string };

/**
 * The connections of a client, by Node's own agents. One is reused for the same isolation key, origin and set of checked
 * addresses only, so it never leads to an address that was not checked for its request. Proxy settings of the
 * environment are for Node's global agents alone.
 */
export class Connections {
  readonly #idle: LRUCache<Duplex, true>;
  readonly #agents: { readonly [protocol: string]: http.Agent };

  constructor({ ca, maxIdle, reroute }: ConnectionsOptions) {
    this.#idle = new LRUCache({
      max: maxIdle,
      dispose: (_, socket, reason) => {
        if (reason === 'evict') socket.destroy();
      },
    });
    const keeping = { keepAlive: true, timeout: KEEP_ALIVE_MS };
    this.#agents = {
      'http:': this.#watched(new http.Agent(keeping), reroute),
      'https:': this.#watched(new https.Agent({ ...keeping, ca, rejectUnauthorized: true }), reroute),
    };
  }

  /** Sends a request. @throws TypeError for a malformed header */
  send(
    { url, addresses, isolationKey }: Destination,
    { method, headers, body }: Outgoing,
  ): http.ClientRequest {
    const literal = literalAddress(url);
    const options: Options = {
      agent: this.#agents[url.protocol],
      protocol: url.protocol,
      hostname: literal ?? url.hostname,
      port: url.port,
      path: url.pathname + url.search,
      method,
      headers,
      lookup: pinnedTo(addresses),
      // SNI and certificates use the host without the trailing dot.
      ...(literal === undefined && { servername: withoutRootDots(url.hostname) }),
      reusableFor: `${isolationKey}\n${addressKey(addresses)}`,
    };
    return (url.protocol === 'https:' ? https : http).request(options).end(body);
  }

  /** Closes every connection at once; requests in flight fail. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  /** Has an agent keep connections apart, and not too many idle ones. */
  #watched(agent: http.Agent, reroute: Reroute = (options) => options): http.Agent {
    const name = agent.getName.bind(agent);
    const open = agent.createConnection.bind(agent);
    const keep = agent.keepSocketAlive.bind(agent);
    const reuse = agent.reuseSocket.bind(agent);
    return Object.assign(agent, {
      getName: (options: Options): string => `${options.reusableFor}\n${name(options)}`,
      createConnection: (options: http.ClientRequestArgs, ...rest: unknown[]) => {
        const socket = open(reroute(options), ...(rest as []));
        return socket?.once('close', () => this.#idle.delete(socket));
      },
      keepSocketAlive: (socket: Duplex) => {
        this.#idle.set(socket, true);
        return keep(socket);
      },
      reuseSocket: (socket: Duplex, request: http.ClientRequest) => {
        this.#idle.delete(socket);
        reuse(socket, request);
      },
    });
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
