import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Argument, Command } from 'commander';
import { assemble } from './convert/assemble.ts';
import { readGhost } from './convert/ghost/ghost.ts';
import type { Blog } from './convert/blog.ts';
import { writeImportFile } from './convert/import-file.ts';
import type { ImportFile } from './convert/import-file.ts';
import { Report } from './convert/report.ts';
import { readWordPress } from './convert/wordpress/wordpress.ts';
import * as options from './options.ts';
import { UsageError } from './usage.ts';

const READERS: Readonly<Record<string, (text: string, url: string | null, report: Report) => Blog>> = {
  ghost: readGhost,
  wordpress: readWordPress,
};

/** Exit code if some posts could not be converted. */
const INCOMPLETE = 1;

/** Converts the export of another system to an import file on stdout. */
export function convertCommand(): Command {
  return new Command('convert')
    .description('convert an export of Ghost (JSON) or WordPress (WXR) to an import file on stdout')
    .addArgument(new Argument('<system>', 'the system of the export').choices(Object.keys(READERS)))
    .argument('<export>', 'the exported file')
    .addOption(
      options.httpUrl(
        'url',
        'URL of the blog; needed for Ghost, whose exports do not contain it',
        'https://blog.example.com',
      ),
    )
    .action(convert);
}

async function convert(system: string, path: string, { url }: { url?: string }): Promise<void> {
  const isComplete = await convertExport(system, path, url ?? null, process.stdout, process.stderr);
  if (!isComplete) process.exitCode = INCOMPLETE;
}

/**
 * Converts an export, and reports on `errors` what could not be carried over.
 *
 * @returns whether every post was converted
 * @throws UsageError if the file is no such export
 */
export async function convertExport(
  system: string,
  path: string,
  url: string | null,
  out: Writable,
  errors: Writable,
): Promise<boolean> {
  const report = new Report(errors);
  const read = READERS[system] as (typeof READERS)[string];
  let file: ImportFile;
  try {
    file = assemble(read(readExport(path), url, report), report, new Date());
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${path}: ${error.message}`) : error;
  }
  for (const piece of writeImportFile(file)) {
    if (!out.write(piece)) await once(out, 'drain');
  }
  report.finish(summaryOf(file));
  return report.refused === 0;
}

/** @throws UsageError if the file cannot be read */
function readExport(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : (code ?? message);
    throw new UsageError(`cannot be read (${why}).`);
  }
}

function summaryOf({ articles, authors, categories, tags }: ImportFile): string {
  const published = articles.filter(({ status }) => status === 'published').length;
  return [
    `Converted ${counted(articles.length, 'article')}: ${published} published, ${articles.length - published} drafts;`,
    `${counted(authors.length, 'author')}, ${counted(categories.length, 'category', 'categories')}, ${counted(tags.length, 'tag')}.`,
  ].join(' ');
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
