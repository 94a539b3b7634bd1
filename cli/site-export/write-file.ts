import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileAuthor, FileTerm } from './terms.ts';

/** The content of the file besides articles. */
export interface FileHead {
  readonly source: { readonly name: string; readonly url: string };
  readonly authors: readonly FileAuthor[];
  readonly categories: readonly FileTerm[];
  readonly tags: readonly FileTerm[];
}

export interface WrittenFile {
  readonly bytes: number;
  /** Tells it from one that another process has put in its place. */
  readonly inode: number;
}

/**
 * Writes an import file (docs/spec/service-api.md, Import file), an item at a time. Only its owner can read it, because
 * it has drafts.
 */
export async function writeImportFile(
  path: string,
  head: FileHead,
  articles: AsyncIterable<object>,
  signal: AbortSignal,
): Promise<WrittenFile> {
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  const { ino: inode } = await file.stat();
  const out = file.createWriteStream({ flush: true });
  await pipeline(Readable.from(textOf(head, articles)), out, { signal });
  return { bytes: out.bytesWritten, inode };
}

async function* textOf(head: FileHead, articles: AsyncIterable<object>): AsyncGenerator<string> {
  yield `{\n  "format": "service-import",\n  "version": 1,\n  "source": ${JSON.stringify(head.source)},\n`;
  for (const part of ['authors', 'categories', 'tags'] as const) {
    yield* listOf(part, head[part]);
    yield ',\n';
  }
  yield* listOf('articles', articles);
  yield '\n}\n';
}

async function* listOf(
  name: string,
  items: Iterable<object> | AsyncIterable<object>,
): AsyncGenerator<string> {
  yield `  "${name}": [`;
  let separator = '\n    ';
  let end = ']';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n    ';
    end = '\n  ]';
  }
  yield end;
}
