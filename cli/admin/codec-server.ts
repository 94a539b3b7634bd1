import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PayloadCodec } from '@temporalio/common';
import { Option } from 'commander';
import type { Command } from 'commander';
import { z } from 'zod';
import { createPayloadCodec, fromJson, toJson } from '../../adapters/temporal/payload-codec.ts';
import { homeFolder, readRunFile } from '../../runtime/home.ts';
import { listeningOrigin, readSecretFile, readSettings, requireSetting } from '../../runtime/settings.ts';
import type { Io } from '../../packages/command/io.ts';
import * as options from './options.ts';
import { UsageError } from '../../packages/command/usage.ts';
import { print } from './operator.ts';
import type { Operator } from './operator.ts';

const COMPOSE_UI = 'http://127.0.0.1:8233';
/** More than Temporal takes in one request. */
const BODY_BYTES = 8 * 2 ** 20;
const CONNECTIONS = 64;
const REQUEST_MS = 10_000;

/**
 * Lets Temporal's UI and command line show encrypted payloads: `POST /decode` and `/encode` by Temporal's protocol for
 * codec servers. Each client that reaches it can read the payloads in Temporal, so browsers need the origin of the UI, and all
 * clients a token if it listens on more than the loopback address.
 */
export function codecServer(command: Command, _operator: Operator, io: Io): void {
  command
    .addOption(options.number('port', 'port to listen on', { minimum: 1, maximum: 65_535 }).default(8_234))
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(
      options.origin('ui', `origin of the Temporal UI; the default is npm start's, or ${COMPOSE_UI}`),
    )
    .addOption(new Option('--token-file <file>', 'file with the token that each request has to bring'))
    .action(async ({ port, host, ui: given, tokenFile }) => {
      const ui: string = given ?? readRunFile(homeFolder(io.env))?.temporal_ui_url ?? COMPOSE_UI;
      const codec = createPayloadCodec(requireSetting(readSettings(io.env), 'TEMPORAL_ENCRYPTION_KEY'));
      const token = tokenFile === undefined ? undefined : readSecretFile('--token-file', tokenFile);
      if (token === undefined && !['127.0.0.1', '::1', 'localhost'].includes(host))
        throw new UsageError('error: --token-file is required with a --host that other machines can reach');
      const server = createCodecServer(codec, { origins: originsOf(ui), token });
      io.onInterrupt(() => {
        server.close();
        server.closeAllConnections();
      });
      server.listen(port, host);
      await once(server, 'listening');
      const { port: listening } = server.address() as AddressInfo;
      print(io, { url: listeningOrigin(host, listening), ui });
      await once(server, 'close');
    });
}

/** A UI on this machine is opened by either name. */
function originsOf(ui: string): readonly string[] {
  const other = new URL(ui);
  if (other.hostname === '127.0.0.1') other.hostname = 'localhost';
  else if (other.hostname === 'localhost') other.hostname = '127.0.0.1';
  return [ui, other.origin];
}

const bodySchema = z.object({
  payloads: z.array(
    z.object({ metadata: z.record(z.string(), z.string()).nullish(), data: z.string().nullish() }),
  ),
});

interface Access {
  readonly origins: readonly string[];
  readonly token: string | undefined;
}

export function createCodecServer(codec: PayloadCodec, access: Access): Server {
  const server = createServer((request, response) => {
    answer(codec, access, request, response).catch(() => refuse(response, 500, 'cannot be answered'));
  });
  server.maxConnections = CONNECTIONS;
  server.requestTimeout = server.headersTimeout = REQUEST_MS;
  return server;
}

async function answer(
  codec: PayloadCodec,
  { origins, token }: Access,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url, headers } = request;
  const { origin } = headers;
  response.setHeader('vary', 'Origin');
  if (origin !== undefined) {
    // A page of another origin, which a person has open beside the UI.
    if (!origins.includes(origin)) return refuse(response, 403, 'only the origin of --ui may ask');
    response.setHeader('access-control-allow-origin', origin);
  }
  if (method === 'OPTIONS') return allow(request, response);
  if (token !== undefined && !isToken(headers.authorization, token))
    return refuse(response, 401, 'needs the token of --token-file as Authorization: Bearer');
  const isEncode = url === '/encode';
  if (!isEncode && url !== '/decode') return refuse(response, 404, 'only /decode and /encode are here');
  if (method !== 'POST') return refuse(response, 405, 'only POST');
  const text = await readBody(request);
  if (text === null) return refuse(response, 413, `a body has at most ${BODY_BYTES} bytes`);
  const body = bodySchema.safeParse(parseJson(text));
  if (!body.success)
    return refuse(response, 400, 'the body must be {"payloads": [{"metadata": {}, "data": ""}]}');
  try {
    const given = body.data.payloads.map(fromJson);
    const payloads = await (isEncode ? codec.encode(given) : codec.decode(given));
    send(response, 200, { payloads: payloads.map(toJson) });
  } catch (error) {
    refuse(response, 400, (error as Error).message);
  }
}

/** A browser's question before the request. Its second part is asked of servers in a private network. */
function allow({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader('access-control-allow-headers', 'authorization, content-type, x-namespace');
  response.setHeader('access-control-max-age', '600');
  if (headers['access-control-request-private-network'] === 'true')
    response.setHeader('access-control-allow-private-network', 'true');
  response.writeHead(204).end();
}

function isToken(given = '', token: string): boolean {
  const [expected, actual] = [Buffer.from(`Bearer ${token}`), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** @returns null if it is too long */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // The rest is read too, or the sender would not see the answer.
    if (length <= BODY_BYTES) chunks.push(chunk);
  }
  return length > BODY_BYTES ? null : Buffer.concat(chunks).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const refuse = (response: ServerResponse, status: number, message: string): void =>
  send(response, status, { message });

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
