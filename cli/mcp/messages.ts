import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest } from '@modelcontextprotocol/client';

/** The message of a line. Only the members that the bridge needs are looked at; the server checks the rest. */
export function messageIn(line: string): JSONRPCMessage | 'not JSON' | 'not a message' {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'not JSON';
  }
  if (typeof value !== 'object' || value === null) return 'not a message';
  const { jsonrpc, id, method } = value as Record<string, unknown>;
  const hasId = typeof id === 'string' || typeof id === 'number';
  const isMessage = typeof method === 'string' ? hasId || id === undefined : method === undefined && hasId;
  return jsonrpc === '2.0' && isMessage ? (value as JSONRPCMessage) : 'not a message';
}

export const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest =>
  'method' in message && 'id' in message;

export const isNotification = (message: JSONRPCMessage): message is JSONRPCNotification =>
  'method' in message && !('id' in message);

/** Since 2026-07-28, each request says its version. */
export const eraOf = ({ params }: JSONRPCRequest): 'legacy' | 'modern' =>
  typeof params?._meta?.[PROTOCOL_VERSION_META_KEY] === 'string' ? 'modern' : 'legacy';
