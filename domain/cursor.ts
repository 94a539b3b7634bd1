import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { invalidRequest } from './errors.ts';

/** Where a list goes on: the order key of the last row shown (null where it has none) and its id. */
export interface Position {
  readonly key: string | null;
  readonly id: string;
}

/** What a cursor is good for: the Site's key, and a text of the endpoint, order and filters (decisions 4). */
export interface CursorBinding {
  readonly key: Buffer;
  readonly query: string;
}

const MAC_LENGTH = 16;

/** An opaque cursor that only continues the very list it came from. */
export function encodeCursor(binding: CursorBinding, position: Position): string {
  const payload = Buffer.from(JSON.stringify([position.key, position.id]));
  return Buffer.concat([mac(binding, payload), payload]).toString('base64url');
}

/**
 * @throws ServiceError INVALID_REQUEST for a cursor that was changed, made up, or given for another list
 */
export function decodeCursor(binding: CursorBinding, cursor: string): Position {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(MAC_LENGTH);
  // Several texts decode to the same bytes; only the one that was given is a cursor.
  const genuine =
    bytes.length > MAC_LENGTH &&
    bytes.toString('base64url') === cursor &&
    timingSafeEqual(bytes.subarray(0, MAC_LENGTH), mac(binding, payload));
  if (!genuine) {
    throw invalidRequest(
      'cursor: is not one that this list gave. Pass back next_cursor unchanged, with the same filters and order, or leave it out to start anew.',
    );
  }
  const [key, id] = JSON.parse(payload.toString()) as [string | null, string];
  return { key, id };
}

const mac = (binding: CursorBinding, payload: Buffer): Buffer =>
  createHmac('sha256', keyObject(binding.key))
    .update(`${binding.query}\0`)
    .update(payload)
    .digest()
    .subarray(0, MAC_LENGTH);

/** Keys as the crypto library wants them: making one costs five times what it is used for. */
const keyObjects = new Map<string, KeyObject>();
const KEYS_AT_MOST = 1_000;

function keyObject(key: Buffer): KeyObject {
  const name = key.toString('latin1');
  let known = keyObjects.get(name);
  if (known === undefined) {
    if (keyObjects.size >= KEYS_AT_MOST) keyObjects.clear();
    known = createSecretKey(key);
    keyObjects.set(name, known);
  }
  return known;
}
