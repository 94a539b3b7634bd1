import type { ServiceError } from '../../domain/kernel/errors.ts';
import { answersOf } from './answers.ts';
import { ApprovalRequested } from './approval-schema.ts';
import { errorCodesOf } from './error-codes.ts';
import type { Operation } from './operation.ts';
import { bodyOf } from './reply.ts';
import type { Reply } from './reply.ts';

/** @throws Error if a reply does not match the declaration of its operation */
export function verifyReply(operation: Operation, reply: Reply): void {
  const schema = answersOf(operation)[reply.status];
  const name = `${operation.method} ${operation.path}`;
  if (schema === undefined) throw new Error(`${name} answered ${reply.status}, which it does not declare`);
  if (schema === null) {
    if (reply.data !== undefined || reply.json !== undefined || reply.bytes !== undefined)
      throw new Error(`${name} answered a body with ${reply.status}`);
    return;
  }
  const sent = JSON.parse(reply.bytes?.toString() ?? reply.json ?? bodyOf(reply.data)) as { data: unknown };
  const checked = schema.safeParse(sent.data);
  if (!checked.success)
    throw new Error(`${name} answered a shape that it does not declare: ${checked.error.message}`);
  if (!ApprovalRequested.safeParse(sent.data).success) verifyHeaders(operation, reply, name);
}

/** @throws Error if the headers of a write's reply are not those that its operation declares */
function verifyHeaders(
  { method, headers = [] }: Operation,
  { version, location }: Reply,
  name: string,
): void {
  if (method === 'GET') return;
  const sent = [...(version === undefined ? [] : ['ETag']), ...(location === undefined ? [] : ['Location'])];
  if (sent.join() !== [...headers].sort().join())
    throw new Error(`${name} answered the headers [${sent.join()}], which it does not declare`);
}

/** @throws Error if the operation does not declare the error code */
export function verifyError(operation: Operation, error: ServiceError): void {
  if (!errorCodesOf(operation).includes(error.code)) {
    throw new Error(
      `${operation.method} ${operation.path} answered ${error.code}, which it does not declare`,
    );
  }
}
