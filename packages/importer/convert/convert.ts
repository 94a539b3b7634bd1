import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assemble } from './assemble.ts';
import { readExportFile } from './export-file.ts';
import type { ExportFile } from './export-file.ts';
import { readGhost } from './ghost/ghost.ts';
import type { Blog } from './blog.ts';
import { writeImportFile } from './import-file.ts';
import type { ImportFile } from './import-file.ts';
import { Report } from './report.ts';
import { readWordPress } from './wordpress/wordpress.ts';
import { Incomplete } from '../../command/incomplete.ts';
import type { Io } from '../../command/io.ts';
import { UsageError } from '../../command/usage.ts';

/** A system whose exports can be converted. */
export type System = 'ghost' | 'wordpress';

type Files = readonly [ExportFile, ...ExportFile[]];

const READERS: Readonly<Record<System, (files: Files, url: string | null, report: Report) => Blog>> = {
  ghost: readGhost,
  wordpress: readWordPress,
};

/**
 * Converts an export, of one or more files, to an import file on stdout, and reports on stderr what could not be carried
 * over.
 *
 * @param strict whether a post whose words are not those of the old site is an error
 * @throws UsageError if a file is no such export, and Incomplete if a post could not be converted
 */
export async function convert(
  system: System,
  paths: readonly string[],
  { url, strict }: { readonly url: string | null; readonly strict: boolean },
  { stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>,
): Promise<void> {
  if (system !== 'wordpress' && paths.length > 1)
    throw new UsageError('Only WordPress divides an export into several files.');
  const report = new Report(stderr);
  const blog = READERS[system](paths.map(readExportFile) as [ExportFile], url, report);
  const file = assemble(blog, report, new Date());
  await pipeline(Readable.from(writeImportFile(file)), stdout, { end: false });
  report.finish(summaryOf(file));
  if (report.refused > 0 || (strict && report.different > 0)) throw new Incomplete();
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
