/** The maximum number of members and array items of a body, over all levels (docs/spec/rulings.md, 14). */
const VALUES_LIMIT = 50_000;

/** The maximum number of nesting levels (docs/spec/rulings.md, 1). */
const DEPTH_LIMIT = 100;

const [QUOTE, COMMA, BACKSLASH, SPACE] = [0x22, 0x2c, 0x5c, 0x20];
const [OPENS_ARRAY, CLOSES_ARRAY, OPENS_OBJECT, CLOSES_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Says which limit a JSON text exceeds; null if it may be parsed. It counts on the bytes, because parsed values take
 * much more memory. The result for invalid JSON does not matter: the parser rejects it.
 */
export function excessOf(json: Uint8Array): string | null {
  let values = 0;
  let depth = 0;
  /** Whether an array or object was just opened: its first value or its end follows. */
  let opened = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (byte <= SPACE) continue;
    if (byte === CLOSES_ARRAY || byte === CLOSES_OBJECT) {
      depth -= 1;
      opened = false;
      continue;
    }
    if (opened || byte === COMMA) values += 1;
    opened = false;
    if (byte === QUOTE) {
      at = endOfString(json, at);
    } else if (byte === OPENS_ARRAY || byte === OPENS_OBJECT) {
      opened = true;
      depth += 1;
      if (depth > DEPTH_LIMIT) return `is nested deeper than ${DEPTH_LIMIT} levels`;
    }
    if (values > VALUES_LIMIT) {
      return `has more than ${VALUES_LIMIT.toLocaleString('en')} values; every member and every array item counts`;
    }
  }
  return null;
}

/** The index of the closing quote of the string that starts at `start`. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
