import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file of an export, as the manifest lists it. */
export interface ExportedFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Lines of a table. */
  readonly rows?: number;
}

/** There while an export is unfinished; names its organisation. */
const UNFINISHED = 'unfinished.json';
const MANIFEST = 'manifest.json';

/**
 * The folder of an export. Only its owner can read it. A file has its final name once it is complete, and the manifest
 * is written last: a folder with a manifest is a complete export.
 */
export class ExportFolder {
  readonly #path: string;
  readonly files: ExportedFile[] = [];

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Opens a new folder, or one in which an export of the same organisation was interrupted.
   *
   * @throws Error if the folder holds anything else
   */
  static async open(path: string, organisationId: string): Promise<ExportFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const content = await readdir(path);
    const marker = join(path, UNFINISHED);
    if (content.includes(MANIFEST) && !content.includes(UNFINISHED))
      throw new Error(`--out: ${path} holds a finished export. Give another folder.`);
    if (content.length > 0) {
      const found = content.includes(UNFINISHED) ? await readFile(marker, 'utf8') : '';
      if (!found.includes(organisationId))
        throw new Error(`--out: ${path} is not empty. Give a new folder, or that of the same export.`);
    }
    await writeFile(marker, `${JSON.stringify({ organisation: organisationId })}\n`, { mode: 0o600 });
    return new ExportFolder(path);
  }

  /** Writes the rows of a table, a line each. */
  async writeLines(path: string, lines: AsyncIterable<{ readonly line: string }>): Promise<void> {
    let rows = 0;
    async function* text(): AsyncGenerator<string> {
      for await (const { line } of lines) {
        rows += 1;
        yield `${line}\n`;
      }
    }
    const written = await this.#write(path, Readable.from(text()));
    this.files.push({ ...written, rows });
  }

  /**
   * Writes an image, or keeps the complete one of an interrupted export: its bytes never change.
   *
   * @param open returns its bytes, or null if it does not exist
   * @returns false if it does not exist
   */
  async writeImage(path: string, open: () => Promise<Readable | null>): Promise<boolean> {
    const there = await stat(join(this.#path, path)).catch(() => null);
    if (there !== null) {
      const measured = measure();
      await pipeline(createReadStream(join(this.#path, path)), measured.through, async (bytes) => {
        for await (const _ of bytes);
      });
      this.files.push({ path, ...measured.result() });
      return true;
    }
    const body = await open();
    if (body === null) return false;
    this.files.push(await this.#write(path, body));
    return true;
  }

  /** Completes the export. */
  async finish(manifest: object): Promise<void> {
    const files = this.files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
    const text = `${JSON.stringify({ ...manifest, files }, null, 2)}\n`;
    await this.#write(MANIFEST, Readable.from([text]));
    await rm(join(this.#path, UNFINISHED));
  }

  async #write(path: string, source: Readable): Promise<ExportedFile> {
    const final = join(this.#path, path);
    await mkdir(dirname(final), { recursive: true, mode: 0o700 });
    const measured = measure();
    const partial = `${final}.part`;
    await pipeline(source, measured.through, createWriteStream(partial, { mode: 0o600, flush: true }));
    await rename(partial, final);
    return { path, ...measured.result() };
  }
}

/** Passes bytes on, and counts and hashes them. */
function measure(): { through: Transform; result: () => { bytes: number; sha256: string } } {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { through, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}
