import { join } from 'node:path';
import { readJson } from './home.ts';

/** Where a running stack can be reached by the operator's command. */
export interface RunFile {
  /** Of the application's role, the schema's owner, and who only looks; of one role where it is an outside database. */
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

/** What npm start last ran on a data folder, or null. */
export const readRunFile = (home: string): RunFile | null => readJson<RunFile>(runFile(home));
