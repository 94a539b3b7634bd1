import { readTextFile } from '../../command/text-file.ts';
import { UsageError } from '../../command/usage.ts';

export interface ExportFile {
  readonly path: string;
  readonly text: string;
}

/** @throws UsageError if the file cannot be read */
export function readExportFile(path: string): ExportFile {
  return { path, text: readTextFile(path) };
}

/** Puts the path before the message of a UsageError. */
export function inFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${path}: ${error.message}`) : error;
  }
}
