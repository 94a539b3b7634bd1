import { readFileSync } from 'node:fs';
import { UsageError } from '../../command/usage.ts';

/** One file of an export. */
export interface ExportFile {
  readonly path: string;
  readonly text: string;
}

/** @throws UsageError if the file cannot be read */
export function readExportFile(path: string): ExportFile {
  return { path, text: inFile(path, () => textOf(path)) };
}

/** Puts the path before the message of a UsageError. */
export function inFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${path}: ${error.message}`) : error;
  }
}

const GZIP = Buffer.from([0x1f, 0x8b]);

function textOf(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`cannot be read (${code ?? message}).`);
  }
  if (bytes.subarray(0, 2).equals(GZIP))
    throw new UsageError('cannot be read (it is compressed: unpack it by gunzip).');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError('cannot be read (it is not UTF-8).');
  }
}
