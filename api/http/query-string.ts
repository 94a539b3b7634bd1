import { z } from 'zod';
import { invalidRequest } from '../../domain/kernel/errors.ts';
import { fieldMessages } from '../../packages/base/field-messages.ts';

/** The maximum number of values of a repeatable parameter. */
const MAXIMUM_VALUES = 100;

/**
 * Parses the query string by an operation's schema. Errors name the unknown, repeated or invalid parameter
 * (docs/spec/rulings.md, 1).
 *
 * @throws ServiceError INVALID_REQUEST
 */
export function parseQuery(raw: string, schema: z.ZodType | undefined): unknown {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  const values: Record<string, unknown> = {};
  for (const [name, value] of decodeQuery(raw)) {
    if (!Object.hasOwn(shape, name)) {
      const known = Object.keys(shape).join(', ') || 'none';
      throw invalidRequest(
        `${name.slice(0, 100).toWellFormed()}: is not a query parameter of this operation. Known parameters: ${known}.`,
      );
    }
    if (isRepeatable(shape[name] as z.ZodType)) {
      const given = (values[name] ??= []) as string[];
      if (given.push(value) > MAXIMUM_VALUES) {
        throw invalidRequest(`${name}: must be given at most ${MAXIMUM_VALUES} times.`);
      }
    } else if (Object.hasOwn(values, name)) {
      throw invalidRequest(`${name}: must be given only once.`);
    } else {
      values[name] = value;
    }
  }
  if (schema === undefined) return values;
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const messages = Object.entries(fieldMessages(parsed.error.issues)).map(
    ([path, message]) => `${path.split('.', 1)[0]}: ${message}`,
  );
  throw invalidRequest(`${[...new Set(messages)].join('; ')}.`);
}

/** @throws ServiceError INVALID_REQUEST if it is not percent-encoded UTF-8, or contains U+0000 */
function* decodeQuery(raw: string): Generator<[name: string, value: string]> {
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const [name, value] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
    yield [decode(name), decode(value)];
  }
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRequest('The query string must be percent-encoded UTF-8.');
  }
  if (decoded.includes('\0')) {
    throw invalidRequest('The query string must not contain the character U+0000.');
  }
  return decoded;
}

function isRepeatable(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return isRepeatable(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray;
}
