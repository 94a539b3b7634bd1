import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs';
import type { WriteStream } from 'node:fs';

/** A larger file is rotated at the next start. */
const LARGEST_BYTES = 10_000_000;
const OPEN_AGAIN_MS = 1_000;

/**
 * The log of a process. A full disk does not stop the process: lines that do not fit are lost, later ones are written
 * again.
 */
export class LogFile {
  readonly #file: string;
  #stream: WriteStream | undefined;
  #failedAt: number | undefined;

  constructor(file: string) {
    this.#file = file;
    if (existsSync(file) && statSync(file).size > LARGEST_BYTES) renameSync(file, `${file}.old`);
  }

  write(chunk: Uint8Array): void {
    if (this.#stream === undefined) {
      if (this.#failedAt !== undefined && Date.now() - this.#failedAt < OPEN_AGAIN_MS) return;
      this.#open();
    }
    this.#stream?.write(chunk, (error) => {
      if (!error) this.#failedAt = undefined;
    });
  }

  #open(): void {
    const stream = createWriteStream(this.#file, { flags: 'a', mode: 0o600 });
    this.#stream = stream;
    stream.on('error', (error) => {
      // Reported once, not for each line.
      if (this.#failedAt === undefined) console.log(`${this.#file}: ${error.message}`);
      this.#failedAt = Date.now();
      if (this.#stream === stream) this.#stream = undefined;
    });
  }
}
