import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportReport } from '../../../../packages/importer/import/report.ts';
import { endCommands, runCommand, startCommand } from '../../../support/command.ts';
import type { RunningCommand } from '../../../support/command.ts';

/** The result of a finished import. */
export interface Imported {
  readonly code: number;
  readonly report: ImportReport;
  readonly out: string;
  readonly err: string;
}

const folders: string[] = [];

/** Ends what a test has left running, and deletes its files. */
export async function endImports(): Promise<void> {
  await endCommands();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** @param content an object is written as JSON, a text or bytes unchanged */
export function buildFile(content: object | string, name = 'import.json'): string {
  const folder = mkdtempSync(join(tmpdir(), 'presswork-import-'));
  folders.push(folder);
  const path = join(folder, name);
  const raw = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, raw ? content : JSON.stringify(content));
  return path;
}

/** An import file with the test's content. */
export const importFile = (parts: object = {}): object => ({
  format: 'service-import',
  version: 1,
  source: { name: 'The old blog', url: 'https://old.example' },
  authors: [],
  categories: [],
  tags: [],
  articles: [],
  ...parts,
});

let sequence = 0;

/** An entry that can be published; `undefined` removes a member. */
export function entry(values: object = {}): Record<string, unknown> {
  const number = (sequence += 1);
  return {
    external_id: `post-${number}`,
    status: 'published',
    title: `Post ${number}`,
    slug: `post-${number}`,
    content: 'Text.',
    published_at: '2020-01-02T03:04:05Z',
    ...values,
  };
}

export const startImport = (args: readonly string[]): RunningCommand => startCommand(['import', ...args]);

/** Runs the command to its end. */
export async function runImport(args: readonly string[]): Promise<Imported> {
  const { code, stdout: out, stderr: err, json } = await runCommand(['import', ...args]);
  return { code, out, err, report: json ?? null };
}
