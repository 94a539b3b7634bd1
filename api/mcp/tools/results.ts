import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Called } from './inner-call.ts';
import { forAgents, OUTSIDE_NOTE } from './outside-text.ts';
import type { Toolbox } from './toolbox.ts';

const text = (words: string) => ({ type: 'text' as const, text: words });

export const failed = (words: string): CallToolResult => ({ content: [text(words)], isError: true });

/** The answer of an operation as the result of a tool. */
export function resultOf(called: Called, { inTools }: Toolbox): CallToolResult {
  const { status, json } = called;
  if (status >= 400) return failed(inTools(errorOf(called)));
  if (json === null) return { content: [text('Done.')] };
  const { data, hasOutsideText } = forAgents(json.data);
  const etag = called.header('ETag');
  return {
    content: [
      text(JSON.stringify(data)),
      ...(etag === '' ? [] : [text(`if_match for a change that is based on this version: ${etag}`)]),
      ...(hasOutsideText ? [text(OUTSIDE_NOTE)] : []),
    ],
    structuredContent: data,
  };
}

/** The mistake and the right form, in words. */
export function errorOf({ json, header }: Called): string {
  const { code = 'ERROR', message = '', fields = {} } = json?.error ?? {};
  const pause = header('Retry-After');
  return [
    `${code}: ${message}`,
    ...Object.entries(fields).map(([name, problem]) => `${name}: ${problem}`),
    ...(pause === '' ? [] : [`Try again after ${pause} seconds.`]),
  ].join('\n');
}
