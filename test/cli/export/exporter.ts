import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportReport } from '../../../cli/site-export/export.ts';
import { runCommand } from '../../support/command.ts';
import { endImports } from '../../packages/importer/import/importer.ts';

/** An export to a new folder. */
export interface Target {
  readonly out: string;
  readonly media: string;
  /** The file; null if it does not exist. */
  text(): string | null;
}

export interface ExportRun {
  readonly code: number;
  /** Null if nothing was printed. */
  readonly report: ExportReport | null;
  readonly out: string;
  readonly err: string;
}

const folders: string[] = [];

export function newTarget(): Target {
  const folder = mkdtempSync(join(tmpdir(), 'presswork-export-'));
  folders.push(folder);
  const out = join(folder, 'site.json');
  return {
    out,
    media: join(folder, 'media'),
    text: () => (existsSync(out) ? readFileSync(out, 'utf8') : null),
  };
}

/** Ends what a test has left running, and deletes its files. */
export async function endExports(): Promise<void> {
  await endImports();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** The arguments of the command. */
export const exportArgs = (baseUrl: string, key: string, { out }: Target, ...more: string[]): string[] => [
  'export',
  '--base-url',
  baseUrl,
  '--key',
  key,
  '--out',
  out,
  ...more,
];

export async function runExport(
  baseUrl: string,
  key: string,
  target: Target,
  ...more: string[]
): Promise<ExportRun> {
  const {
    code,
    stdout: out,
    stderr: err,
    json,
  } = await runCommand(exportArgs(baseUrl, key, target, ...more));
  return { code, out, err, report: json ?? null };
}
