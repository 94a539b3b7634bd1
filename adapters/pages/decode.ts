/** How far into a page its character set may be declared (HTML, 13.2.3.2). */
const DECLARED_WITHIN = 1_024;

const marks: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];

const charsetIn = (text: string): string | undefined =>
  /charset\s*=\s*["']?([\w:.+-]{1,40})/i.exec(text)?.[1];

/**
 * A page as text: by its byte-order mark, its `Content-Type`, or its own declaration. Without any of these it is
 * UTF-8, or if it cannot be, Windows-1252. Other bytes become U+FFFD.
 */
export function decode(bytes: Uint8Array, contentType: string): string {
  const marked = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  for (const label of [marked, charsetIn(contentType)]) {
    const decoder = decoderOf(label);
    if (decoder !== null) return decoder.decode(bytes);
  }
  const begin = Buffer.from(bytes.subarray(0, DECLARED_WITHIN)).toString('latin1');
  const declared = decoderOf(charsetIn(begin));
  // A declaration in plain bytes cannot be in UTF-16, whatever it says (HTML, 13.2.3.2).
  if (declared !== null && !declared.encoding.startsWith('utf-16')) return declared.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // A page that is cut at its limit may end within a character.
    const text = new TextDecoder().decode(bytes);
    return text.replace(/\uFFFD$/, '').includes('\uFFFD')
      ? new TextDecoder('windows-1252').decode(bytes)
      : text;
  }
}

function decoderOf(label: string | undefined): InstanceType<typeof TextDecoder> | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}
