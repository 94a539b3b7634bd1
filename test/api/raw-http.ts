import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

/** A request of raw bytes, which no ordinary client would send. */
export interface RawExchange {
  /** Writes, and waits until the bytes have been sent. Does nothing on a closed connection. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** The first final answer, as soon as it has arrived whole: the request may still be in flight. */
  readonly answer: Promise<RawAnswer>;
  /** Resolves once the server has closed the connection. */
  readonly closed: Promise<void>;
  end(): void;
}

export function openRaw(origin: string): RawExchange {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    answer: readAnswer(socket),
    closed,
    write: (bytes) =>
      new Promise((resolve) => {
        if (!socket.writable) resolve();
        else socket.write(bytes, () => resolve());
      }),
    end: () => socket.destroy(),
  };
}

/** Sends one request as written, with CRLF as line ends. @returns its answer */
export async function sendRaw(origin: string, head: readonly string[], body: string | Uint8Array = '') {
  const exchange = openRaw(origin);
  await exchange.write(`${head.join('\r\n')}\r\n\r\n`);
  if (body.length > 0) await exchange.write(body);
  const answer = await exchange.answer;
  exchange.end();
  return answer;
}

function readAnswer(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = parse(received);
      if (answer !== null) resolve(answer);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${received.length} bytes: ${received}`)));
  });
}

function parse(bytes: Buffer): RawAnswer | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(first.split(' ')[1]);
  if (status < 200) return parse(bytes.subarray(end + 4));
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const body = bytes.subarray(end + 4);
  if (body.length < Number(headers.get('content-length') ?? 0)) return null;
  const text = body.toString();
  return { status, headers, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
}
