import type { Identity } from '../../../domain/access/authenticate.ts';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import { requireRights } from '../../framework/authorize.ts';
import type { KeyedOperation, Operation } from '../../framework/operation.ts';
import { describeTool } from './describe.ts';
import type { ToolDescription } from './describe.ts';
import { namedTools } from './named.ts';

/** An operation as a tool. */
export interface OperationTool {
  readonly operation: KeyedOperation;
  readonly description: ToolDescription;
}

/** Decisions of people about agents and programs, which no agent makes for them, whatever key it has been given. */
const decisions: ReadonlySet<string> = new Set([
  'approveApproval',
  'denyApproval',
  'approveDeviceSignIn',
  'denyDeviceSignIn',
]);

/** Every operation but the decisions of people, by its id and by the name of its tool. */
export interface Toolbox {
  /** The tools with names of their own, in a fixed order. */
  readonly named: readonly OperationTool[];
  readonly all: readonly OperationTool[];
  byName(name: string): OperationTool | undefined;
  byOperationId(id: string): OperationTool | undefined;
  /** A text of the API in which operations are called by their tools. */
  readonly inTools: (text: string) => string;
}

let made: Toolbox | undefined;

/** The same for every app of a process, as describing all operations takes a while. */
export const toolboxOfProcess = (operations: readonly Operation[]): Toolbox =>
  (made ??= createToolbox(operations));

function createToolbox(operations: readonly Operation[]): Toolbox {
  const all = operations.flatMap((operation) =>
    operation.keyless || decisions.has(operation.id)
      ? []
      : [{ operation, description: describeTool(operation) }],
  );
  const byId = new Map(all.map((tool) => [tool.operation.id, tool]));
  const named = Object.keys(namedTools).map((id) => {
    const tool = byId.get(id);
    if (tool === undefined) throw new Error(`api/mcp/tools/named.ts names an unknown operation: ${id}`);
    return tool;
  });
  const byName = new Map(named.map((tool) => [tool.description.name, tool]));
  const byEndpoint = new Map(
    all.map(({ operation, description: { name } }) => [
      `${operation.method} ${operation.path.replace(/:(\w+)/g, '{$1}')}`,
      byName.has(name) ? name : `call_operation with ${operation.id}`,
    ]),
  );
  return {
    named,
    all,
    byName: (name) => byName.get(name),
    byOperationId: (id) => byId.get(id) ?? all.find(({ description }) => description.name === id),
    inTools: (text) =>
      text.replace(
        /\b(?:GET|POST|PATCH|DELETE) \/[\w/{}-]+/g,
        (endpoint) => byEndpoint.get(endpoint) ?? endpoint,
      ),
  };
}

/** Whether the key may call an operation at all. */
export function mayCall(auth: Identity, { operation }: OperationTool): boolean {
  try {
    requireRights(auth, operation, new URLSearchParams());
    return auth.caller.mayPublish || operation.access.publishes !== true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
