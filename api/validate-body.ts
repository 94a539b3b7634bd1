import { z } from 'zod';
import { invalidRequest, validationFailed } from '../domain/errors.ts';
import type { Operation } from './operation.ts';
import type { Ports } from './ports.ts';
import { fieldMessages } from './schema/field-messages.ts';
import { findUnusableText } from './unusable-text.ts';

/** Where an operation declares no body, an empty one may be sent. */
const emptyBody = z.strictObject({}).optional();

/**
 * The body in its declared shape.
 *
 * @param sent the parsed JSON object, or undefined for no body
 * @throws ServiceError INVALID_REQUEST where a body is needed and none is sent; VALIDATION_FAILED with every
 *   mistake that shows without looking anything up
 */
export function parseBody(
  operation: Operation,
  sent: Record<string, unknown> | undefined,
  ports: Ports,
): unknown {
  const schema = operation.body ?? emptyBody;
  if (sent === undefined && !schema.safeParse(undefined).success) {
    throw invalidRequest('This operation needs a JSON object as its body.');
  }
  const parsed = schema.safeParse(sent, { reportInput: true });
  const fields = {
    ...operation.examine?.(sent ?? {}, ports),
    ...(parsed.success ? {} : fieldMessages(parsed.error.issues)),
    ...(sent === undefined ? {} : findUnusableText(sent)),
  };
  if (Object.keys(fields).length > 0) throw validationFailed(fields);
  return parsed.data;
}
