import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createProcesses, JobTooLarge } from '../jobs/processes.ts';
import type { Jobs } from './jobs.ts';
import type { Rendering } from './render.ts';

/** The text has no HTML; the message is the end of a sentence that begins with "The content". */
export class MarkdownRefused extends Error {
  override name = 'MarkdownRefused';
}

export interface Renderer {
  /**
   * Renders Markdown as sanitised HTML.
   *
   * @param siteId the Site of the text, which has its share of the work
   * @throws MarkdownRefused for a text that takes too long or too much memory
   * @throws NoPermit if too many texts wait
   */
  render(siteId: string, markdown: string): Promise<string>;
  close(): void;
}

export interface RendererOptions {
  /** Time limit of a rendering in ms, whatever its length. */
  readonly limitMs?: number;
  /** How long a text may wait for its turn, in ms. */
  readonly longestWaitMs?: number;
  /** Whether to start a process now, so that the first text does not wait for it. */
  readonly keepReady?: boolean;
}

/**
 * Time limits of renderings, in ms. 100 KB of dense Markdown take 250 ms on a slow machine, and more on a busy one; a
 * longer text than any article has 250 ms with all else that its request does.
 */
const limits = { article: 2_000, long: 200 };
/** A text of this length (some 30,000 words) or more is longer than any article. */
const LONG = 200_000;
/** A process that cannot stop its own work is killed. */
const DEADLINE_MS = 10_000;
/** A client that waits longer asks again. */
const LONGEST_WAIT_MS = 5_000;
/** Maximum size of all cached renderings, and of one, in characters. */
const CACHE_SIZE = 8_000_000;
const CACHED_SIZE = 1_000_000;
/** A refused text is tried again after this time: the machine may have been busy. */
const REFUSED_MS = 60_000;

/**
 * Creates the renderer of a process. Texts are rendered by helper processes, so that none holds up the event loop, and
 * the results are cached by Site and text (docs/decisions/0100).
 */
export function createRenderer({
  limitMs,
  longestWaitMs = LONGEST_WAIT_MS,
  keepReady = false,
}: RendererOptions = {}): Renderer {
  const processes = createProcesses<Jobs>({
    program: new URL('main.ts', import.meta.url),
    processes: 2,
    deadlineMs: DEADLINE_MS,
    longestWaitMs,
    keepReady,
  });
  const cache = new LRUCache<string, Rendering>({
    maxSize: CACHE_SIZE,
    maxEntrySize: CACHED_SIZE,
    sizeCalculation: (rendering, key) => key.length + ('html' in rendering ? rendering.html.length : 0),
  });
  /** Renderings in flight, which requests for the same text share. */
  const inFlight = new Map<string, Promise<Rendering>>();

  async function perform(siteId: string, key: string, markdown: string): Promise<Rendering> {
    try {
      const limit = limitMs ?? limits[markdown.length >= LONG ? 'long' : 'article'];
      const rendering = await processes.run(siteId, 'renderMarkdown', { text: markdown, limitMs: limit });
      cache.set(key, rendering, 'refused' in rendering ? { ttl: REFUSED_MS } : {});
      return rendering;
    } catch (error) {
      if (!(error instanceof JobTooLarge)) throw error;
      const rendering = { refused: `cannot be rendered: ${error.message}` };
      cache.set(key, rendering, { ttl: REFUSED_MS });
      return rendering;
    } finally {
      inFlight.delete(key);
    }
  }

  return {
    async render(siteId, markdown) {
      const key = `${siteId} ${createHash('sha256').update(markdown).digest('base64')}`;
      const known = cache.get(key);
      const pending = known ?? inFlight.get(key) ?? perform(siteId, key, markdown);
      if (pending instanceof Promise) inFlight.set(key, pending);
      const rendering = await pending;
      if ('refused' in rendering) throw new MarkdownRefused(rendering.refused);
      return rendering.html;
    },
    close: () => processes.close(),
  };
}
