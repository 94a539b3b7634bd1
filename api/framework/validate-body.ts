import { z } from 'zod';
import { invalidRequest, validationFailed } from '../../domain/kernel/errors.ts';
import type { Operation } from './operation.ts';
import type { Ports } from './ports.ts';
import { Mistakes } from '../../packages/base/mistakes.ts';
import { addIssues, skipZodMessage } from '../../packages/base/field-messages.ts';
import { findUnusableText } from '../../packages/base/unusable-text.ts';

/** The body of an operation that declares none. */
const emptyBody = z.strictObject({}).optional();

/**
 * Validates a body by its schema.
 *
 * @param sent the parsed JSON object, or undefined for no body
 * @throws ServiceError INVALID_REQUEST if a required body is missing; VALIDATION_FAILED with every mistake that can be
 *   found without look-ups
 */
export function parseBody(
  operation: Pick<Operation, 'body' | 'examine'>,
  sent: Record<string, unknown> | undefined,
  ports: Ports,
): unknown {
  const schema = operation.body ?? emptyBody;
  if (sent === undefined && !schema.safeParse(undefined).success) {
    throw invalidRequest('The body must be a JSON object. This operation requires one.');
  }
  const parsed = schema.safeParse(sent, { reportInput: true, error: skipZodMessage });
  const mistakes = new Mistakes();
  if (sent !== undefined) findUnusableText(sent, mistakes);
  if (!parsed.success) addIssues(parsed.error.issues, mistakes);
  for (const [name, message] of Object.entries(operation.examine?.(sent ?? {}, ports) ?? {})) {
    mistakes.add([name], message);
  }
  if (Object.keys(mistakes.fields).length > 0) throw validationFailed(mistakes.fields);
  return parsed.data;
}
