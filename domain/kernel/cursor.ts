import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { invalidRequest } from './errors.ts';

/** The position in a list: the sort key of the last row shown (null if it has none) and its id. */
export interface Position {
  readonly key: string | null;
  readonly id: string;
}

/**
 * The binding of a cursor: the Site's key, and a text of the endpoint, order and filters (docs/spec/rulings.md, 4).
 */
export interface CursorBinding {
  readonly key: Buffer;
  readonly query: string;
}

const MAC_LENGTH = 16;

/** An opaque cursor that is only valid for the same list. */
export function encodeCursor(binding: CursorBinding, position: Position): string {
  const payload = Buffer.from(JSON.stringify([position.key, position.id]));
  return Buffer.concat([mac(binding, payload), payload]).toString('base64url');
}

/** The positions of cursors that were checked: a check costs as much as the rest of a page that is often requested. */
const positions = new LRUCache<string, Position>({
  maxSize: 250_000,
  sizeCalculation: (_, name) => name.length,
});

/** @throws ServiceError INVALID_REQUEST for a cursor that was changed, made up, or issued for another list */
export function decodeCursor(binding: CursorBinding, cursor: string): Position {
  const name = `${binding.key.toString('latin1')}\0${binding.query}\0${cursor}`;
  let position = positions.get(name);
  if (position === undefined) {
    position = checkCursor(binding, cursor);
    positions.set(name, position);
  }
  return position;
}

function checkCursor(binding: CursorBinding, cursor: string): Position {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(MAC_LENGTH);
  // Several texts decode to the same bytes; only the issued one is valid.
  const genuine =
    bytes.length > MAC_LENGTH &&
    bytes.toString('base64url') === cursor &&
    timingSafeEqual(bytes.subarray(0, MAC_LENGTH), mac(binding, payload));
  if (!genuine) {
    throw invalidRequest(
      'cursor: was not issued by this list. Send next_cursor unchanged, with the same filters and order, or leave it out to start from the beginning.',
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

/** Caches key objects: creating one costs five times as much as using it. */
const keyObjects = new LRUCache<string, KeyObject>({ max: 1_000 });

function keyObject(key: Buffer): KeyObject {
  const name = key.toString('latin1');
  let known = keyObjects.get(name);
  if (known === undefined) {
    known = createSecretKey(key);
    keyObjects.set(name, known);
  }
  return known;
}
