import type { ServiceError } from '../domain/errors.ts';
import { generalErrors } from './general-errors.ts';
import { answersOf } from './answers.ts';
import type { Operation } from './operation.ts';
import { bodyOf } from './reply.ts';
import type { Reply } from './reply.ts';

/** @throws Error where a reply is not as its operation declares it */
export function verifyReply(operation: Operation, reply: Reply): void {
  const schema = answersOf(operation)[reply.status];
  const name = `${operation.method} ${operation.path}`;
  if (schema === undefined) throw new Error(`${name} answered ${reply.status}, which it does not declare`);
  if (schema === null) {
    if (reply.data !== undefined || reply.json !== undefined)
      throw new Error(`${name} answered a body with ${reply.status}`);
    return;
  }
  const sent = JSON.parse(reply.json ?? bodyOf(reply.data)) as { data: unknown };
  const checked = schema.safeParse(sent.data);
  if (!checked.success)
    throw new Error(`${name} answered another shape than it declares: ${checked.error.message}`);
}

/** @throws Error where a code is answered that the operation does not declare */
export function verifyError(operation: Operation, error: ServiceError): void {
  const declared =
    generalErrors.includes(error.code) ||
    operation.errors.includes(error.code) ||
    declaredByKind(operation, error);
  if (!declared) {
    throw new Error(
      `${operation.method} ${operation.path} answered ${error.code}, which it does not declare`,
    );
  }
}

function declaredByKind(operation: Operation, error: ServiceError): boolean {
  if (error.code.startsWith('IDEMPOTENCY_KEY_')) return operation.idempotency !== undefined;
  if (error.code.startsWith('APPROVAL_')) return operation.approval !== undefined;
  if (error.code === 'PRECONDITION_FAILED') return operation.conditional === true;
  if (error.code === 'VALIDATION_FAILED') return operation.method === 'POST' || operation.method === 'PATCH';
  return error.code === 'NOT_FOUND' && operation.path.includes(':');
}
