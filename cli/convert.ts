import { readFileSync } from 'node:fs';
import { once } from 'node:events';
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

/** Posts could not be converted. */
const INCOMPLETE = 1;

/** Turns the export of another system into an import file, on stdout. */
export function convertCommand(): Command {
  return new Command('convert')
    .description('turn an export of Ghost (JSON) or WordPress (WXR) into an import file, on stdout')
    .addArgument(new Argument('<system>', 'where the export is from').choices(Object.keys(READERS)))
    .argument('<export>', 'the file')
    .addOption(options.httpUrl('url', 'address of the blog; an export of Ghost does not say it'))
    .action(convert);
}

async function convert(system: string, path: string, { url }: { url?: string }): Promise<void> {
  const report = new Report(process.stderr);
  const read = READERS[system] as (typeof READERS)[string];
  let file: ImportFile;
  try {
    file = assemble(read(readExport(path), url ?? null, report), report, new Date());
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${path}: ${error.message}`) : error;
  }
  for (const piece of writeImportFile(file)) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
  report.finish(summaryOf(file));
  if (report.refused > 0) process.exitCode = INCOMPLETE;
}

/** @throws UsageError where it cannot be read */
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
