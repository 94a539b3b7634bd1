import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Json } from '../../framework/openapi/schemas.ts';
import type { Agent } from './agent.ts';
import { askForDecision, approvalOf } from './approvals.ts';
import type { Called } from './inner-call.ts';
import { BadArguments, toolCallOf } from './arguments.ts';
import type { ToolCall } from './arguments.ts';
import { findOperations, findOperationTool } from './find-operation.ts';
import { readJsonTexts } from './json-texts.ts';
import { failed, resultOf } from './results.ts';
import { mayCall } from './toolbox.ts';
import type { OperationTool } from './toolbox.ts';

export const callOperationTool = {
  name: 'call_operation',
  title: 'Call an operation',
  description:
    'Calls any operation by its id, with the arguments that find_operation told. Example: {"operation_id": "getUsage", "arguments": {}}.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      operation_id: { type: 'string', description: 'As find_operation answers it.' },
      arguments: { type: 'object', description: 'The arguments of the operation.', default: {} },
    },
    required: ['operation_id'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

/** Calls a tool. Whatever is wrong with the call is a result that says so: the model reads it and can do better. */
export async function callTool(
  agent: Agent,
  name: string,
  given: Json,
): Promise<CallToolResult | InputRequiredResult> {
  const { toolbox, auth } = agent;
  try {
    if (name === findOperationTool.name) return found(agent, given);
    const wanted = name === callOperationTool.name ? operationOf(agent, given) : toolbox.byName(name);
    if (wanted === undefined || !mayCall(auth, wanted))
      return failed(
        `There is no tool ${name}, or this key may not use it. ${insteadOf(wanted)}find_operation finds what it may call.`,
      );
    return await callOperation(agent, wanted, name === callOperationTool.name ? argumentsOf(given) : given);
  } catch (error) {
    if (error instanceof BadArguments) return failed(error.message);
    agent.ports.log.error({ err: error, tool: name.slice(0, 100) }, 'a tool failed');
    return failed('INTERNAL_ERROR: Something went wrong on our side. Try again in a minute.');
  }
}

function found({ toolbox, auth }: Agent, given: Json): CallToolResult {
  refuseOthers(given, findOperationTool, 'It has query.');
  const { query } = given;
  if (typeof query !== 'string' || query.trim() === '') throw new BadArguments('query: must be words.');
  const operations = findOperations(toolbox, auth, query);
  return {
    content: [{ type: 'text', text: JSON.stringify({ operations }) }],
    structuredContent: { operations },
  };
}

/** @throws BadArguments */
function refuseOthers(
  given: Json,
  { name, inputSchema }: typeof findOperationTool | typeof callOperationTool,
  hint: string,
): void {
  const unknown = Object.keys(given).find((each) => !Object.hasOwn(inputSchema.properties, each));
  if (unknown !== undefined) throw new BadArguments(`${unknown}: is no argument of ${name}. ${hint}`);
}

/** @throws BadArguments */
function operationOf({ toolbox, auth }: Agent, given: Json): OperationTool {
  refuseOthers(given, callOperationTool, 'Those of the operation are in arguments.');
  const { operation_id: id } = given;
  const tool = typeof id === 'string' ? toolbox.byOperationId(id) : undefined;
  if (tool !== undefined && mayCall(auth, tool)) return tool;
  throw new BadArguments(
    `operation_id: is not the id of an operation that this key may call. ${insteadOf(tool)}find_operation finds them.`,
  );
}

/** What a key does that may not publish. */
const insteadOf = (tool: OperationTool | undefined): string =>
  tool?.operation.access.publishes === true ? 'request_review asks people to publish. ' : '';

/** @throws BadArguments */
function argumentsOf(sent: Json): Json {
  const { arguments: given } = readJsonTexts(sent, callOperationTool.inputSchema, {}) as Json;
  if (given === undefined || given === null) return {};
  if (typeof given === 'object' && !Array.isArray(given)) return given as Json;
  throw new BadArguments('arguments: must be an object.');
}

async function callOperation(
  agent: Agent,
  tool: OperationTool,
  given: Json,
): Promise<CallToolResult | InputRequiredResult> {
  const call = toolCallOf(tool, given);
  const approval = await approvalOf(agent, tool, call);
  if (approval?.status === 'pending') return await askForDecision(agent, tool, approval.id);
  const called = await carrying(agent, call, approval?.id ?? null);
  const asked = called.status === 202 ? askedOf(called.json?.data) : null;
  return asked === null ? resultOf(called, agent.toolbox) : await askForDecision(agent, tool, asked);
}

/** An approval that does not fit any more, as its target has changed since, is asked for anew. */
async function carrying(agent: Agent, call: ToolCall, approval: string | null): Promise<Called> {
  if (approval === null) return await agent.call(call);
  const headers = { ...call.headers, 'service-approval': approval };
  const called = await agent.call({ ...call, headers });
  return called.json?.error?.code === 'APPROVAL_INVALID' ? await agent.call(call) : called;
}

/** The id of the approval that an answer asks for. */
const askedOf = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'approval' in data
    ? (data.approval as { readonly id: string }).id
    : null;
