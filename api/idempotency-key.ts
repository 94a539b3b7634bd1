import { invalidRequest } from '../domain/errors.ts';
import type { Operation } from './operation.ts';

const form = /^[\x20-\x7e]{1,255}$/;

/**
 * The key of a request that may be sent again (specification, Conventions).
 *
 * @returns undefined where there is none, or the operation creates nothing
 * @throws ServiceError INVALID_REQUEST where it is required and missing, or not of the form
 */
export function readIdempotencyKey(
  operation: Operation,
  header: string | string[] | undefined,
): string | undefined {
  if (operation.idempotency === undefined) return undefined;
  if (header === undefined) {
    if (operation.idempotency === 'honoured') return undefined;
    throw invalidRequest(
      'Idempotency-Key: is required here. Send a fresh value, such as a uuid, with each new request.',
    );
  }
  const key = String(header);
  if (!form.test(key)) throw invalidRequest('Idempotency-Key: must be 1 to 255 printable ASCII characters.');
  return key;
}
