import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestApi } from './api.ts';

/** The result of a tool, in both eras. */
export interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[];
  readonly structuredContent?: any;
}

/** What tests ask of a client of either era. */
export interface McpClient {
  tools(): Promise<readonly any[]>;
  call(name: string, given?: Record<string, unknown>): Promise<ToolResult>;
  read(uri: string): Promise<any>;
  resources(): Promise<readonly any[]>;
  prompts(): Promise<readonly any[]>;
  prompt(name: string, given?: Record<string, string>): Promise<any>;
  close(): Promise<void>;
}

export const eras = ['2025', '2026'] as const;
export type Era = (typeof eras)[number];

const urlOf = (api: TestApi): URL => new URL('/mcp', api.origin);
const keyed = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } });
const about = { name: 'test', version: '1' };

/** A client of the official packages. @param onUrl decides about an address that is to be opened */
export async function connectMcp(
  api: TestApi,
  key: string,
  era: Era,
  onUrl?: (url: string) => Promise<'accept' | 'decline'>,
): Promise<McpClient> {
  return era === '2025' ? connectOld(api, key) : connectNew(api, key, onUrl);
}

async function connectOld(api: TestApi, key: string): Promise<McpClient> {
  const client = new OldClient(about);
  await client.connect(new OldTransport(urlOf(api), keyed(key)) as Parameters<OldClient['connect']>[0]);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}) => (await client.callTool({ name, arguments: given })) as ToolResult,
    read: async (uri) => (await client.readResource({ uri })).contents[0],
    resources: async () => (await client.listResources()).resources,
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: (name, given = {}) => client.getPrompt({ name, arguments: given }),
    close: () => client.close(),
  };
}

async function connectNew(
  api: TestApi,
  key: string,
  onUrl?: (url: string) => Promise<'accept' | 'decline'>,
): Promise<McpClient> {
  const capabilities = onUrl === undefined ? {} : { elicitation: { url: {} } };
  const client = new Client(about, { capabilities, versionNegotiation: { mode: 'auto' } });
  if (onUrl !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: await onUrl((params as { url: string }).url),
    }));
  await client.connect(new StreamableHTTPClientTransport(urlOf(api), keyed(key)));
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}) => (await client.callTool({ name, arguments: given })) as ToolResult,
    read: async (uri) => (await client.readResource({ uri })).contents[0],
    resources: async () => (await client.listResources()).resources,
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: (name, given = {}) => client.getPrompt({ name, arguments: given }),
    close: () => client.close(),
  };
}

/** The text of a result. */
export const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text ?? '').join('\n');
