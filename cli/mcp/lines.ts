import type { Readable } from 'node:stream';

const NEWLINE = 10;

/**
 * The lines of a stream, without their ends. The last one may have no end.
 *
 * @returns null instead of a line that has more bytes than the limit
 */
export async function* linesOf(input: Readable, mostBytes: number): AsyncGenerator<string | null> {
  let held: Buffer[] = [];
  let bytes = 0;
  const hold = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > mostBytes) held = [];
    else if (part.length > 0) held.push(part);
  };
  const take = (): string | null => {
    const line = bytes > mostBytes ? null : Buffer.concat(held).toString();
    held = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    hold(chunk.subarray(from));
  }
  if (bytes > 0) yield take();
}
