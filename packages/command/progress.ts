import type { Io } from './io.ts';

const WIDTH = 24;
/** Interval of lines without a terminal. */
const LINE_EVERY_MS = 5_000;

interface Count {
  readonly done: number;
  readonly total: number;
}

/** Shows the progress of an import or export: a bar on a terminal, otherwise a line every few seconds. */
export class Progress {
  readonly #stream: Io['stderr'];
  readonly #redact: (text: string) => string;
  #said = '';
  #drawn = false;
  #lineAt = performance.now();

  constructor(stream: Io['stderr'], redact: (text: string) => string) {
    this.#stream = stream;
    this.#redact = redact;
  }

  show(articles: Count, images: Count): void {
    const counts = `${articles.done}/${articles.total} articles, ${images.done}/${images.total} images`;
    if (this.#stream.isTTY) {
      const [done, total] = [articles.done + images.done, articles.total + images.total];
      const filled = total === 0 ? WIDTH : Math.floor((WIDTH * done) / total);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      this.#stream.write(`\r${bar} ${counts}\u001b[K`);
      this.#drawn = true;
    } else if (performance.now() - this.#lineAt > LINE_EVERY_MS) {
      this.#lineAt = performance.now();
      this.#stream.write(`${counts}\n`);
    }
  }

  /** Prints a message, unless it repeats the previous one. */
  say(text: string): void {
    if (text === this.#said) return;
    this.#said = text;
    this.end();
    this.#stream.write(`${this.#redact(text)}\n`);
  }

  /** Clears the bar. */
  end(): void {
    if (this.#drawn) this.#stream.write('\r\u001b[K');
    this.#drawn = false;
  }
}
