import { fstatSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { printLine } from '../../packages/command/io.ts';
import type { Io } from '../../packages/command/io.ts';
import { UsageError } from '../../packages/command/usage.ts';
import { authorizedFetch } from './authorized-fetch.ts';
import { Bridge } from './bridge.ts';
import { signInAsDevice } from './device-sign-in.ts';
import { reasonOf } from './failures.ts';
import { KeyFile } from './key-file.ts';
import { Keys } from './keys.ts';
import { linesOf } from './lines.ts';

/** More than the server takes. */
const MOST_BYTES_OF_A_LINE = 4 * 1_024 * 1_024;
/** Of answers that the client does not read. */
const MOST_UNREAD_BYTES = 64 * 1_024 * 1_024;
/** For the answers, after the client has closed its end. */
const LEAVING_MS = 10_000;
/** For the requests of a client that learn that there is no key. */
const REFUSING_MS = 1_000;

/** Why it ends without an error: it was interrupted, or nobody reads it. */
class Left extends Error {
  override name = 'Left';
}

/** Passes messages on between a client and the MCP server until the client leaves, or it is interrupted. */
export async function speak(baseUrl: string, io: Io): Promise<void> {
  const origin = originOf(baseUrl);
  const say = (text: string): void => printLine(io.stderr, text);
  const ending = new AbortController();
  io.onInterrupt(() => ending.abort(new Left()));
  const { signal } = ending;
  const keys = new Keys(new KeyFile(origin, io.env, say), () =>
    signInAsDevice({ baseUrl: `${origin}/v1`, signal, say }),
  );
  const server = new StreamableHTTPClientTransport(new URL('/mcp', origin), { fetch: authorizedFetch(keys) });
  const bridge = new Bridge({ server, write: writer(io.stdout, ending), say });
  await server.start();
  try {
    await serve(bridge, keys, io.stdin, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    if (!(signal.reason instanceof Left)) throw signal.reason;
  } finally {
    ending.abort();
    bridge.fail(new Error('The command has ended.'));
    await server.close();
  }
}

/** The MCP server is at the origin, whose API has the path `/v1`. @throws UsageError */
function originOf(baseUrl: string): string {
  const { origin, pathname, search, hash } = new URL(baseUrl);
  if (!/^\/(v1\/?)?$/.test(pathname) || search !== '' || hash !== '')
    throw new UsageError('--base-url: must be the URL of the API, such as https://example.com/v1.');
  return origin;
}

/** Passes messages on until the client leaves. @throws Error if there is no key for them */
async function serve(bridge: Bridge, keys: Keys, input: Io['stdin'], signal: AbortSignal): Promise<void> {
  const wait = (ms: number): Promise<void> => sleep(ms, undefined, { signal });
  // Without a client, as with `< /dev/null`, the command is for the sign-in.
  const hasClient = isWritten(input);
  const reading = read(bridge, input, signal);
  const keyed = keys.get().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const first = await Promise.race([reading.then(() => 'left' as const), keyed]);
  const refused = first === 'left' && hasClient ? null : await keyed;
  if (refused !== null) {
    signal.throwIfAborted();
    await Promise.race([reading, wait(REFUSING_MS)]);
    throw new Error(reasonOf(refused.error), { cause: refused.error });
  }
  await reading;
  await Promise.race([bridge.drain(), wait(LEAVING_MS)]);
}

async function read(bridge: Bridge, input: Readable, signal: AbortSignal): Promise<void> {
  for await (const line of linesOf(addAbortSignal(signal, input), MOST_BYTES_OF_A_LINE)) bridge.take(line);
}

/** Whether somebody can write to it. */
const isWritten = ({ isTTY, fd }: Io['stdin']): boolean =>
  isTTY === true || fd === undefined || !fstatSync(fd).isCharacterDevice();

/** Writes messages to the client until nobody reads them. */
function writer(output: Writable, ending: AbortController): (message: JSONRPCMessage) => void {
  output.on('error', () => ending.abort(new Left()));
  return (message) => {
    output.write(`${JSON.stringify(message)}\n`);
    if (output.writableLength > MOST_UNREAD_BYTES)
      ending.abort(new Error('The client does not read its answers.'));
  };
}
