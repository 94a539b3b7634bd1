import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The traffic to PostgreSQL. */
export interface WireCount {
  /** Executed statements, including BEGIN and COMMIT. */
  statements: number;
  /** How often a client sent something and waited for the answer. */
  roundTrips: number;
}

/** A proxy to PostgreSQL that counts statements and round trips. */
export interface Wire {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** So far. */
  readonly count: Readonly<WireCount>;
  close(): Promise<void>;
}

/** The messages of PostgreSQL's protocol that execute a statement: Execute and Query. */
const CARRY_OUT = new Set(['E', 'Q'].map((letter) => letter.charCodeAt(0)));
const HEADER = 5;

export async function openWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl);
  const count: WireCount = { statements: 0, roundTrips: 0 };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const follow = createFollower(() => (count.statements += 1));
    let asked = false;
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true).on('error', () => {});
      socket.on('close', () => void (client.destroy(), upstream.destroy()));
    }
    client.on('data', (chunk: Buffer) => {
      follow(chunk);
      asked = true;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (asked) count.roundTrips += 1;
      asked = false;
      client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, count, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Parses the bytes of a client into messages, across chunk boundaries. */
function createFollower(onStatement: () => void): (chunk: Buffer) => void {
  // The start-up message has no type byte before its length.
  let header = Buffer.from([0]);
  let left = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const passed = Math.min(left, chunk.length - at);
        left -= passed;
        at += passed;
        continue;
      }
      const needed = Math.min(HEADER - header.length, chunk.length - at);
      header = Buffer.concat([header, chunk.subarray(at, at + needed)]);
      at += needed;
      if (header.length < HEADER) return;
      // The length includes itself, but not the type byte.
      left = header.readUInt32BE(1) - 4;
      if (CARRY_OUT.has(header[0] ?? 0)) onStatement();
      header = Buffer.alloc(0);
    }
  };
}
