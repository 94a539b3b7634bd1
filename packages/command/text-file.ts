import { readFileSync } from 'node:fs';
import { UsageError } from './usage.ts';

const GZIP = Buffer.from([0x1f, 0x8b]);

/** @throws UsageError if the file cannot be read, or is no text */
export function readTextFile(path: string): string {
  const fail = (why: string): never => {
    throw new UsageError(`${path}: cannot be read (${why}).`);
  };
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return fail(code ?? message);
  }
  if (bytes.subarray(0, 2).equals(GZIP)) return fail('it is compressed: unpack it by gunzip');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const tooLong = (error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG';
    return fail(tooLong ? 'it is too large: split it into several files' : 'it is not UTF-8');
  }
}
