import { mkdir, rename, stat } from 'node:fs/promises';
import { constants } from 'node:buffer';
import type { GuardedClient } from '../../adapters/http/guarded-client.ts';
import type { Site } from '../../sdk/src/index.ts';
import { printable } from '../../packages/importer/convert/report.ts';
import { requireScopes, scopesOfSecretKey } from '../../packages/command/key-scopes.ts';
import type { TransferPorts } from '../../packages/command/transfer.ts';
import { UsageError } from '../../packages/command/usage.ts';
import { EntryWriter } from './entry-writer.ts';
import { Library } from './library.ts';
import { ProgressFile } from './progress-file.ts';
import { listArticles, readArticles } from './read-articles.ts';
import type { Listed } from './read-articles.ts';
import { saveImages } from './save-images.ts';
import type { SavedImages } from './save-images.ts';
import { readTerms } from './terms.ts';
import { writeImportFile } from './write-file.ts';

export interface ExportOptions {
  readonly baseUrl: string;
  readonly out: string;
  readonly media?: string;
}

export interface ExportPorts extends Omit<TransferPorts, 'stop'> {
  readonly http: GuardedClient;
}

/** The output of the command (docs/spec/rulings.md, 15). */
export interface ExportReport {
  readonly articles: number;
  readonly authors: number;
  readonly categories: number;
  readonly tags: number;
  readonly images: SavedImages;
}

export interface Exported {
  readonly report: ExportReport;
  /** Whether every article can be imported, and every image was saved. */
  readonly complete: boolean;
}

/**
 * Exports a Site to a file, which has its name only when everything is in it. Until then `<file>.progress` has the articles that were
 * read; the same command continues with it.
 *
 * @throws UsageError if nothing was written, or the API rejects the key later
 */
export async function exportSite(options: ExportOptions, ports: ExportPorts): Promise<Exported> {
  const { site, listed } = await prepare(options, ports);
  const file = await ProgressFile.open(`${options.out}.progress`);
  try {
    return await write(file, site, listed, options, ports);
  } finally {
    await file.close();
  }
}

/** Everything that can be checked before the first write. */
async function prepare(
  { out, media }: ExportOptions,
  { client, signal }: ExportPorts,
): Promise<{ site: Site; listed: Listed }> {
  try {
    requireScopes(
      await scopesOfSecretKey(client),
      ['articles:read', 'authors:read', 'taxonomy:read', 'media:read', 'meta:read'],
      'export',
    );
    const site = await client.site.get();
    const listed = await listArticles(client);
    if (await isFolder(out)) throw new UsageError(`--out: ${out} is a folder. Give the name of a file.`);
    if (media !== undefined) await makeFolder(media);
    return { site, listed };
  } catch (error) {
    signal.throwIfAborted();
    // Nothing has been written, so every error is a usage error.
    throw error instanceof UsageError ? error : new UsageError((error as Error).message, { cause: error });
  }
}

async function write(
  file: ProgressFile,
  site: Site,
  listed: Listed,
  { out, media }: ExportOptions,
  ports: ExportPorts,
): Promise<Exported> {
  const { client, progress, signal } = ports;
  const warn = (message: string): void => progress.say(`warning: ${printable(message)}`);
  for (const [status, count] of listed.others)
    warn(`articles with the status ${status} are left out: ${count}`);

  const total = (done: number): number => Math.max(done, listed.versions.size);
  const show = (done: number, images = { done: 0, total: 0 }): void =>
    progress.show({ done, total: total(done) }, images);
  await readArticles(client, listed, file, show);

  const articles = [...file.articles];
  const terms = await readTerms(client, articles);
  terms.warnings.forEach(warn);
  const library = await Library.read(client);
  const writer = new EntryWriter({ file, terms, library, warn, findImages: media !== undefined });
  const part = `${out}.part`;
  const head = {
    source: { name: site.name, url: `https://${site.domain}` },
    authors: terms.authors,
    categories: terms.categories,
    tags: terms.tags,
  };
  const { bytes, inode } = await writeImportFile(part, head, writer.entries(), signal);
  if (bytes > constants.MAX_STRING_LENGTH) warn(`${out} is too large for one import: split its articles`);

  const images =
    media === undefined
      ? { written: 0, failed: 0 }
      : await saveImages(writer.images, media, {
          ...ports,
          warn,
          onSettled: (counts) => show(articles.length, counts),
        });
  if (media !== undefined && writer.otherImages > 0) {
    warn(`images that are not in the library of the Site are not saved: ${writer.otherImages}`);
  }
  if ((await stat(part)).ino !== inode) throw new Error(`Another export is writing to ${out}.`);
  await rename(part, out);
  await file.delete();
  return {
    report: {
      articles: articles.length,
      authors: terms.authors.length,
      categories: terms.categories.length,
      tags: terms.tags.length,
      images,
    },
    complete: writer.refused === 0 && images.failed === 0,
  };
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false;

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`--media: ${path} cannot be made a folder (${code ?? message}).`, { cause: error });
  }
}
