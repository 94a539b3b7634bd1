import { randomBytes, randomInt } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The abuse of strangers without a key. Each function does one thing once; the caller repeats them. */
export interface Abuse {
  readonly name: string;
  /** The pause before the next repetition, in milliseconds. */
  readonly pauseMs: number;
  readonly act: () => Promise<void>;
}

/** A different client every time, also of other IPv6 networks, by a header of the trusted proxy. */
const somebody = (): string =>
  randomInt(2) === 0
    ? `203.0.113.${randomInt(256)}`
    : `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}::${randomInt(65_536).toString(16)}`;

/** A JSON body of half a megabyte whose mistakes have paths of half a megabyte. */
function longPaths(): string {
  const name = 'k'.repeat(5_000);
  return `{"client_name":"x","a":${`{"${name}":`.repeat(90)}[${'"\\u0000",'.repeat(699)}"\\u0000"]${'}'.repeat(91)}`;
}

const many = (count: number, member: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => member(index)).join(',');

/** Bodies that are more expensive than they look; created once. */
export const hostileBodies: readonly string[] = [
  longPaths(),
  `{"client_name":"x",${many(100_000, (index) => `"a${index.toString(36)}":0`)}}`,
  `{"client_name":"x","a":[${many(140_000, () => '"\\ud800"')}]}`,
  `{"client_name":"x","a":[${many(500_000, () => '0')}]}`,
  `${'{"a":'.repeat(150_000)}0${'}'.repeat(150_000)}`,
  `{"client_name":"${'\\u0000'.repeat(170_000)}"}`,
  `{"title":"${'x'.repeat(1_000_000)}"}`,
  randomBytes(1_000_000).toString('latin1'),
];

/** Sends a request and discards the answer: any status is allowed except a 5xx other than 503. */
export async function provoke(origin: string, path: string, init: RequestInit = {}): Promise<void> {
  const headers = { 'x-forwarded-for': somebody(), ...(init.headers as Record<string, string>) };
  const answer = await fetch(origin + path, { ...init, headers, signal: AbortSignal.timeout(60_000) }).catch(
    () => null,
  );
  await answer?.arrayBuffer().catch(() => null);
  if (answer !== null && answer.status >= 500 && answer.status !== 503)
    throw new Error(`${init.method ?? 'GET'} ${path.slice(0, 60)} was answered ${answer.status}`);
}

function open(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  return connect(Number(port), hostname).on('error', () => {});
}

/** Keeps connections open for a while, each with an incomplete request. */
async function hold(origin: string, count: number, heldMs: number, words: () => string): Promise<void> {
  const sockets = Array.from({ length: count }, () => {
    const socket = open(origin);
    socket.write(words());
    return socket;
  });
  await sleep(heldMs);
  for (const socket of sockets) socket.destroy();
}

/** Requests a file on many connections, and slowly reads a little from each. */
async function readSlowly(origin: string, path: string, count: number, heldMs: number): Promise<void> {
  const sockets = Array.from({ length: count }, () => {
    const socket = open(origin).pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${somebody()}\r\n\r\n`);
    return socket;
  });
  for (const end = Date.now() + heldMs; Date.now() < end; await sleep(500))
    for (const socket of sockets) socket.read(1);
  for (const socket of sockets) socket.destroy();
}

/** @param imagePath of a large public image */
export function strangers(origin: string, imagePath: string): readonly Abuse[] {
  const turn = <T>(values: readonly T[]): T => values[randomInt(values.length)] as T;
  const json = { 'content-type': 'application/json' };
  const keyless = ['/v1/auth/device', '/v1/auth/device/token'];
  return [
    {
      name: 'bodies that cost more than they look',
      pauseMs: 300,
      act: () => provoke(origin, turn(keyless), { method: 'POST', headers: json, body: turn(hostileBodies) }),
    },
    {
      name: 'keys that are none',
      pauseMs: 30,
      act: () =>
        provoke(origin, `/v1/articles?fields=content&limit=${randomInt(1_000)}`, {
          headers: { authorization: `Bearer svc_sk_${randomBytes(19).toString('hex')}` },
        }),
    },
    {
      name: 'passwords',
      pauseMs: 200,
      act: () =>
        provoke(origin, '/sign-in', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `do=sign-in&email=person${randomInt(50)}@example.com&password=${randomBytes(300).toString('hex')}`,
        }),
    },
    {
      name: 'documents and probes',
      pauseMs: 50,
      act: () =>
        provoke(origin, turn(['/openapi.json', '/docs', '/readyz', '/healthz', imagePath, '/sign-in'])),
    },
    {
      name: 'heads that never end',
      pauseMs: 500,
      act: () =>
        hold(
          origin,
          40,
          8_000,
          () => `GET /v1/ping HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(randomInt(30_000))}`,
        ),
    },
    {
      name: 'bodies that never end',
      pauseMs: 500,
      act: () =>
        hold(
          origin,
          40,
          8_000,
          () =>
            `POST /v1/auth/device HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${somebody()}\r\nContent-Type: application/json\r\n` +
            `Content-Length: 1000000\r\n\r\n${'{'.padEnd(randomInt(1, 200_000))}`,
        ),
    },
    {
      name: 'no HTTP at all',
      pauseMs: 200,
      act: () => hold(origin, 10, 500, () => randomBytes(4_000).toString('latin1')),
    },
    { name: 'images read slowly', pauseMs: 200, act: () => readSlowly(origin, imagePath, 80, 12_000) },
  ];
}
