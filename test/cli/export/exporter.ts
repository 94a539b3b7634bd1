import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportReport } from '../../../cli/site-export/export.ts';
import { endImports, startCommand } from '../import/importer.ts';
import type { Importer } from '../import/importer.ts';

/** An export to a new folder. */
export interface Target {
  readonly out: string;
  readonly media: string;
  /** The file; null if it does not exist. */
  text(): string | null;
}

export interface ExportRun {
  readonly code: number | null;
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

/** Kills what a test has left running, and deletes its files. */
export function endExports(): void {
  endImports();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export const startExport = (baseUrl: string, key: string, { out }: Target, ...more: string[]): Importer =>
  startCommand('export', ['--base-url', baseUrl, '--key', key, '--out', out, ...more]);

export async function runExport(
  baseUrl: string,
  key: string,
  target: Target,
  ...more: string[]
): Promise<ExportRun> {
  const exporter = startExport(baseUrl, key, target, ...more);
  const code = await exporter.ended;
  const out = exporter.out();
  return { code, out, err: exporter.err(), report: out === '' ? null : JSON.parse(out) };
}
