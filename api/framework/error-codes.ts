import type { ErrorCode } from '../../domain/kernel/errors.ts';
import { errorStatus } from '../../domain/kernel/errors.ts';
import type { Operation } from './operation.ts';

/** Codes of the checks that all requests pass through. Operations do not declare them. */
export const generalErrors: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'INVALID_API_KEY',
  'API_KEY_REVOKED',
  'API_KEY_EXPIRED',
  'INSUFFICIENT_SCOPE',
  'AGENT_ACCESS_DISABLED',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'MAINTENANCE',
];

/** Whether a code is about the caller's key. */
const isOfKeys = (code: ErrorCode): boolean => errorStatus[code] === 401 || errorStatus[code] === 403;

/** Every error code that an operation can answer: the general ones, its own, and those that its declaration implies. */
export function errorCodesOf(operation: Operation): readonly ErrorCode[] {
  const { method, path, keyless, conditional, approval, idempotency, errors } = operation;
  const codes = new Set<ErrorCode>([
    ...(keyless ? generalErrors.filter((code) => !isOfKeys(code)) : generalErrors),
    ...errors,
  ]);
  if (path.includes(':')) codes.add('NOT_FOUND');
  if (method === 'POST' || method === 'PATCH') codes.add('VALIDATION_FAILED');
  if (conditional) codes.add('PRECONDITION_FAILED');
  // CONFLICT: too many approvals are pending.
  if (approval) codes.add('APPROVAL_DENIED').add('APPROVAL_INVALID').add('CONFLICT');
  if (idempotency) codes.add('IDEMPOTENCY_KEY_CONFLICT').add('IDEMPOTENCY_KEY_IN_FLIGHT');
  // In the order of the specification's table.
  return (Object.keys(errorStatus) as ErrorCode[]).filter((code) => codes.has(code));
}
