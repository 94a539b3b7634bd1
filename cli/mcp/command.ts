import { fstatSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import * as options from '../options.ts';
import { UsageError } from '../usage.ts';
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

/** The MCP server of an API for clients that start a command (docs/spec/rulings.md, 18). */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description('speak MCP on standard input and output, for agents; signs in as a device')
    .addOption(options.httpUrl('base-url', 'URL of the API, including /v1').makeOptionMandatory())
    .action(speak);
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function speak({ baseUrl }: { readonly baseUrl: string }): Promise<void> {
  const origin = originOf(baseUrl);
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  const { signal } = ending;
  const keys = new Keys(new KeyFile(origin, say), () =>
    signInAsDevice({ baseUrl: `${origin}/v1`, signal, say }),
  );
  const server = new StreamableHTTPClientTransport(new URL('/mcp', origin), { fetch: authorizedFetch(keys) });
  const bridge = new Bridge({ server, write: writer(ending), say });
  await server.start();
  try {
    await serve(bridge, keys, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
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
async function serve(bridge: Bridge, keys: Keys, signal: AbortSignal): Promise<void> {
  const wait = (ms: number): Promise<void> => sleep(ms, undefined, { signal });
  const reading = read(bridge, signal);
  const keyed = keys.get().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const first = await Promise.race([reading.then(() => 'left' as const), keyed]);
  // Without a client, as with `< /dev/null`, the command is for the sign-in.
  const refused = first === 'left' && hasClient() ? null : await keyed;
  if (refused !== null) {
    signal.throwIfAborted();
    await Promise.race([reading, wait(REFUSING_MS)]);
    throw new Error(reasonOf(refused.error), { cause: refused.error });
  }
  await reading;
  await Promise.race([bridge.drain(), wait(LEAVING_MS)]);
}

async function read(bridge: Bridge, signal: AbortSignal): Promise<void> {
  for await (const line of linesOf(addAbortSignal(signal, process.stdin), MOST_BYTES_OF_A_LINE))
    bridge.take(line);
}

/** Whether somebody can write to standard input. */
const hasClient = (): boolean => process.stdin.isTTY || !fstatSync(0).isCharacterDevice();

/** Writes messages to standard output until nobody reads them. */
function writer(ending: AbortController): (message: JSONRPCMessage) => void {
  const { stdout } = process;
  stdout.on('error', () => ending.abort());
  return (message) => {
    stdout.write(`${JSON.stringify(message)}\n`);
    if (stdout.writableLength <= MOST_UNREAD_BYTES || ending.signal.aborted) return;
    say('The client does not read its answers.');
    process.exitCode = 1;
    ending.abort();
  };
}
