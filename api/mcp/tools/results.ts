import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Called } from '../inner-call.ts';
import { forAgents, OUTSIDE_NOTE } from './outside-text.ts';

const text = (words: string) => ({ type: 'text' as const, text: words });

export const failed = (words: string): CallToolResult => ({ content: [text(words)], isError: true });

/** The answer of an operation as the result of a tool. */
export function resultOf(called: Called): CallToolResult {
  const { code = 'ERROR', message = '', fields = {} } = json?.error ?? {};
  const pause = header('Retry-After');
  return [
    `${code}: ${message}`,
    ...Object.entries(fields).map(([name, problem]) => `${name}: ${problem}`),
    ...(pause === '' ? [] : [`Try again after ${pause} seconds.`]),
  ].join('\n');
}
