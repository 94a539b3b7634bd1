import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../runtime/home.ts';
import type { ImportReport } from '../../../cli/import/report.ts';

/** A running `presswork import`, and its output. */
export interface Importer {
  out(): string;
  err(): string;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** The result of a finished import. */
export interface Imported {
  readonly code: number | null;
  readonly report: ImportReport;
  readonly out: string;
  readonly err: string;
}

const running = new Set<() => void>();
const folders: string[] = [];

/** Kills what a test has left running, and deletes its files. */
export function endImports(): void {
  for (const end of running) end();
  running.clear();
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

/** Runs the command in its own process. */
export const startImport = (args: readonly string[]): Importer => startCommand('import', args);

/** Runs a command of `presswork` in its own process. */
export function startCommand(name: 'import' | 'export', args: readonly string[]): Importer {
  const child = spawn(process.execPath, [join(root, 'cli/main.ts'), name, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = (signal: NodeJS.Signals): void => void child.kill(signal);
  running.add(() => kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return {
    out: () => out,
    err: () => err,
    kill,
    ended: new Promise((resolve) => child.on('close', resolve)),
  };
}

/** Runs the command to its end. */
export async function runImport(args: readonly string[]): Promise<Imported> {
  const importer = startImport(args);
  const code = await importer.ended;
  const out = importer.out();
  return { code, out, err: importer.err(), report: out === '' ? null : JSON.parse(out) };
}
