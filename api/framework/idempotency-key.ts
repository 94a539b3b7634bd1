import { invalidRequest } from '../../domain/kernel/errors.ts';
import type { Operation } from './operation.ts';

const form = /^[\x20-\x7e]{1,255}$/;

/**
 * Reads the header Idempotency-Key (docs/spec/service-api.md, Conventions).
 *
 * @returns undefined if it is absent, or if the operation does not use it
 * @throws ServiceError INVALID_REQUEST if it is required and missing, or malformed
 */
export function readIdempotencyKey(
  operation: Operation,
  header: string | string[] | undefined,
): string | undefined {
  if (operation.idempotency === undefined) return undefined;
  if (header === undefined) {
    if (operation.idempotency === 'honoured') return undefined;
    throw invalidRequest(
      'Idempotency-Key: is required. Send a new value, such as a uuid, with each new request.',
    );
  }
  const key = String(header);
  if (!form.test(key)) throw invalidRequest('Idempotency-Key: must be 1 to 255 printable ASCII characters.');
  return key;
}
