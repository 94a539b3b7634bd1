import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** The data folder of npm start. */
export const homeFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  resolve(env['PRESSWORK_HOME'] || join(root, '.presswork'));

/** Reads a JSON file; null if it is missing or unreadable. */
export function readJson<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

/** How the operator's command reaches a running stack. */
export interface RunFile {
  /** For the application's role, the schema's owner and the read-only role; all the same for an outside database. */
  readonly database_url: string;
  readonly migration_database_url: string;
  readonly support_database_url: string;
  readonly temporal_address: string;
  readonly temporal_namespace: string;
  readonly base_url: string;
  readonly temporal_ui_url: string | null;
  /** The S3 variables of the processes. */
  readonly storage: Readonly<Record<string, string>>;
}

export const runFile = (home: string): string => join(home, 'run.json');

/** The run file that npm start last wrote to a data folder, or null. */
export const readRunFile = (home: string): RunFile | null => readJson<RunFile>(runFile(home));
