import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assemble } from './assemble.ts';
import { readGhost } from './ghost/ghost.ts';
import type { Blog } from './blog.ts';
import { writeImportFile } from './import-file.ts';
import type { ImportFile } from './import-file.ts';
import { Report } from './report.ts';
import { readWordPress } from './wordpress/wordpress.ts';
import { Incomplete } from '../incomplete.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../usage.ts';

/** A system whose exports can be converted. */
export type System = 'ghost' | 'wordpress';

const READERS: Readonly<Record<System, (text: string, url: string | null, report: Report) => Blog>> = {
  ghost: readGhost,
  wordpress: readWordPress,
};

/**
 * Converts an export to an import file on stdout, and reports on stderr what could not be carried over.
 *
 * @throws UsageError if the file is no such export, and Incomplete if a post could not be converted
 */
export async function convert(
  system: System,
  path: string,
  url: string | null,
  { stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>,
): Promise<void> {
  const report = new Report(stderr);
  let file: ImportFile;
  try {
    file = assemble(READERS[system](readExport(path), url, report), report, new Date());
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${path}: ${error.message}`) : error;
  }
  await pipeline(Readable.from(writeImportFile(file)), stdout, { end: false });
  report.finish(summaryOf(file));
  if (report.refused > 0) throw new Incomplete();
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
