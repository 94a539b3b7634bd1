import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { UsageError } from '../../packages/command/usage.ts';
import type { ReadArticle } from './article.ts';

/** An article in the file, with what the others have to know of it. */
export interface StoredArticle extends Pick<
  ReadArticle,
  'id' | 'external_id' | 'author_id' | 'category_id' | 'tag_ids' | 'format_id' | 'created_at' | 'updated_at'
> {
  /** Position and length of its line, in bytes. */
  readonly at: number;
  readonly length: number;
}

const HEADER = '{"format":"presswork-export-progress","version":1}\n';
const NEWLINE = 0x0a;
/** Of one read; a line may be longer. */
const CHUNK = 1_048_576;

/**
 * The articles that an export has read so far: a line of JSON for each. An interrupted export continues with them, and
 * the articles are written to the export in another order than they were read. Only their positions are in memory.
 */
export class ProgressFile {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #articles = new Map<string, StoredArticle>();
  /** Ids of terms, each held once, however many articles have it. */
  readonly #ids = new Map<string, string>();
  #size = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /**
   * Opens the file, with the articles of an interrupted export. A line that was not finished is cut off.
   *
   * @throws UsageError if it cannot be written, or is some other file
   */
  static async open(path: string): Promise<ProgressFile> {
    let file: FileHandle;
    try {
      file = await open(path, 'a+', 0o600);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new UsageError(`--out: ${path} cannot be written (${code ?? message}).`);
    }
    const progress = new ProgressFile(path, file);
    try {
      await progress.#readAll();
    } catch (error) {
      await file.close();
      throw error;
    }
    return progress;
  }

  /** Without order. */
  get articles(): IterableIterator<StoredArticle> {
    return this.#articles.values();
  }

  get size(): number {
    return this.#articles.size;
  }

  get(id: string): StoredArticle | undefined {
    return this.#articles.get(id);
  }

  /** Takes an article out; its line stays. */
  forget(id: string): void {
    this.#articles.delete(id);
  }

  /** Adds articles, or replaces what was read of them earlier. */
  async add(articles: readonly ReadArticle[]): Promise<void> {
    const lines = articles.map((article) => Buffer.from(`${JSON.stringify(article)}\n`));
    await this.#file.appendFile(Buffer.concat(lines));
    lines.forEach((line, index) => this.#note(articles[index] as ReadArticle, line.length - 1));
  }

  /** @throws Error if something else has written to the file meanwhile */
  async read({ id, at, length }: StoredArticle): Promise<ReadArticle> {
    const { bytesRead, buffer } = await this.#file.read(Buffer.alloc(length), 0, length, at);
    const article = bytesRead === length ? parse(buffer) : null;
    if (article?.id !== id) {
      throw new Error(
        `${this.#path} has been changed. Is another export writing to it? Delete it, and try again.`,
      );
    }
    return article;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async delete(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  #note(article: ReadArticle, length: number): void {
    const { id, external_id, author_id, category_id, tag_ids, format_id, created_at, updated_at } = article;
    const once = (term: string | null): string | null => term && this.#once(term);
    this.#articles.set(id, {
      id,
      external_id,
      author_id: once(author_id),
      category_id: once(category_id),
      tag_ids: tag_ids.map((tag) => this.#once(tag)),
      format_id: once(format_id),
      created_at,
      updated_at,
      at: this.#size,
      length,
    });
    this.#size += length + 1;
  }

  #once(id: string): string {
    const known = this.#ids.get(id) ?? id;
    this.#ids.set(id, known);
    return known;
  }

  async #readAll(): Promise<void> {
    const { size } = await this.#file.stat();
    const header = Buffer.alloc(Math.min(size, HEADER.length));
    await this.#file.read(header, 0, header.length, 0);
    if (!HEADER.startsWith(header.toString())) {
      throw new UsageError(`--out: ${this.#path} is not the progress of an export. Delete or move it.`);
    }
    this.#size = HEADER.length;
    if (size < HEADER.length) {
      await this.#file.truncate(0);
      await this.#file.appendFile(HEADER);
      return;
    }
    for await (const line of this.#lines()) {
      const article = parse(line);
      // After a crash of the machine, the end of the file may not have been written.
      if (article === null) break;
      this.#note(article, line.length);
    }
    await this.#file.truncate(this.#size);
  }

  /** The finished lines after the header. */
  async *#lines(): AsyncGenerator<Buffer> {
    let rest: Buffer[] = [];
    for (let at = HEADER.length; ;) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.alloc(CHUNK), 0, CHUNK, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      const chunk = buffer.subarray(0, bytesRead);
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end)]);
        rest = [];
        start = end + 1;
      }
      rest.push(chunk.subarray(start));
    }
  }
}

/** @returns null if it is not an article */
function parse(line: Buffer): ReadArticle | null {
  try {
    const value: unknown = JSON.parse(line.toString());
    return typeof value === 'object' && value !== null && 'updated_at' in value
      ? (value as ReadArticle)
      : null;
  } catch {
    return null;
  }
}
