import type { Authenticated } from '../../../domain/access/authenticate.ts';
import { mayCall } from './toolbox.ts';
import type { OperationTool, Toolbox } from './toolbox.ts';

/** More would fill the context of a model. */
const MOST_FOUND = 5;

export const findOperationTool = {
  name: 'find_operation',
  title: 'Find an operation',
  description:
    'Finds operations that have no tool of their own, by words of what they do, such as "team invite" or "webhook redeliver". Answers their ids and arguments for call_operation. Example: {"query": "restore revision"}.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      query: { type: 'string', minLength: 1, maxLength: 200, description: 'What the operation should do.' },
    },
    required: ['query'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

/** The operations that the key may call and that fit best, the best one first. */
export function findOperations(toolbox: Toolbox, auth: Authenticated, query: string): object[] {
  const words =
    query
      .slice(0, 200)
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? [];
  return toolbox.all
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ tool, score }) => score > 0 && mayCall(auth, tool))
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ tool: { operation, description } }) => ({
      operation_id: operation.id,
      description: description.description,
      arguments: description.inputSchema,
      annotations: description.annotations,
    }));
}

/** Words count where they say most: in the name, then in the summary. */
function scoreOf({ operation, description }: OperationTool, words: readonly string[]): number {
  const places = [
    { text: description.name.replaceAll('_', ' '), weight: 4 },
    { text: `${operation.summary} ${operation.group}`.toLowerCase(), weight: 3 },
    { text: description.description.toLowerCase(), weight: 1 },
  ];
  const ofWord = (word: string): number =>
    Math.max(...places.map(({ text, weight }) => (text.includes(stem(word)) ? weight : 0)));
  return words.reduce((sum, word) => sum + ofWord(word), 0);
}

/** "deliveries" finds "delivery", and "schedules" finds "schedule". */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:ies|es|s|ing)$/, '') : word);
