import {
  closeSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { ReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { endCommands, startCommand } from '../../support/command.ts';

/** A running `presswork mcp`, and what it said. */
export interface AgentCommand {
  /** Writes a line: a message, or a text as it is. */
  send(message: object | string): void;
  /** Closes its standard input. */
  leave(): void;
  terminate(): void;
  /** The messages on its standard output. @throws SyntaxError if something else is there */
  messages(): readonly any[];
  /** The message that answers a request. */
  answer(id: number | string): Promise<any>;
  err(): string;
  out(): string;
  /** Its exit code. */
  readonly ended: Promise<number>;
}

const folders: string[] = [];
/** Open files of nothing. */
const nothing: number[] = [];

/** A configuration folder of its own. */
export function configurationFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'presswork-mcp-'));
  folders.push(folder);
  return folder;
}

/** Ends the commands of a test, and removes their folders. */
export async function endAgents(): Promise<void> {
  await endCommands();
  for (const file of nothing.splice(0)) closeSync(file);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export const keyFileOf = (configuration: string, origin: string): string =>
  join(configuration, 'presswork', `${encodeURIComponent(origin)}.json`);

export const keptKey = (configuration: string, origin: string): string =>
  JSON.parse(readFileSync(keyFileOf(configuration, origin), 'utf8')).key;

/** A configuration folder in which a key is kept. */
export function folderWithKey(origin: string, key: string): string {
  const folder = configurationFolder();
  mkdirSync(join(folder, 'presswork'), { mode: 0o700 });
  writeFileSync(keyFileOf(folder, origin), JSON.stringify({ origin, key }), { mode: 0o600 });
  return folder;
}

export interface StartOptions {
  readonly baseUrl: string;
  readonly configuration?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether standard input is /dev/null. */
  readonly alone?: boolean;
}

export function startAgent({ baseUrl, configuration, env, alone = false }: StartOptions): AgentCommand {
  const command = startCommand(['mcp', '--base-url', baseUrl], {
    env: { XDG_CONFIG_HOME: configuration, ...env },
    ...(alone && { stdin: nobody() }),
  });
  const messages = (): any[] =>
    command
      .out()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const answer = (id: number | string): any => messages().find((message) => message.id === id);
  return {
    send: (message) =>
      void command.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    leave: () => void command.stdin.end(),
    terminate: () => command.interrupt('SIGTERM'),
    messages,
    async answer(id) {
      await eventually(`${id} is answered`, () => answer(id));
      return answer(id);
    },
    err: command.err,
    out: command.out,
    ended: command.ended,
  };
}

/** Standard input from /dev/null. As that of a process, its file stays open. */
function nobody(): ReadStream & { readonly fd: number } {
  const fd = openSync('/dev/null', 'r');
  nothing.push(fd);
  return Object.assign(createReadStream('', { fd, autoClose: false }), { fd });
}

/** The user code that a command shows. */
export async function codeOf(command: Pick<AgentCommand, 'err'>): Promise<string> {
  const code = /[A-Z]{4}-[A-Z]{4}$/;
  const shown = (): string | undefined => command.err().match(/code ([A-Z]{4}-[A-Z]{4}) /)?.[1];
  await eventually('it shows a code', shown);
  expect(shown()).toMatch(code);
  return shown() as string;
}

export async function decide(
  api: TestApi,
  key: string,
  command: Pick<AgentCommand, 'err'>,
  decision: 'approve' | 'deny' = 'approve',
): Promise<void> {
  const body = { user_code: await codeOf(command) };
  const { status, text } = await api.request('POST', `/auth/device/${decision}`, { key, body });
  if (status !== 200) throw new Error(text);
}

export const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' });

export const initialize = (id: number | string) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
});
