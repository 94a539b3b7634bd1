import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { digestOfText } from '../../domain/search/note-words.ts';
import type { ReadWords, SearchedText, WordsReader } from '../../domain/kernel/searched-text.ts';
import { NoPermit } from '../../runtime/fair-semaphore.ts';
import { JobTooLarge, JobUnfinished } from '../jobs/helper-process.ts';
import type { InHelpers } from '../jobs/job.ts';
import type { Placement } from '../../packages/base/markdown/place.ts';
import { definitionsOf } from '../../packages/base/markdown/sources.ts';
import type { CitedSource } from '../../packages/base/markdown/sources.ts';
import { readPlainWords, wordsOfParts } from './plain-words.ts';
import type { readWords as wordsOf } from './read-words.ts';
import type { Rendering, ToRender } from '../../packages/base/markdown/render.ts';

/** The text has no HTML; the message is the end of a sentence that begins with "The content". */
export class MarkdownRefused extends Error {
  override name = 'MarkdownRefused';
}

export interface Renderer {
  /**
   * Renders Markdown as sanitised HTML.
   *
   * @param siteId the Site of the text, which has its share of the work
   * @param sources of the article, for footnotes that the text does not define
   * @throws MarkdownRefused for a text that takes too much work or memory, on every machine
   * @throws NoPermit if too many texts wait; JobUnfinished if the machine is too busy
   */
  render(
    siteId: string,
    markdown: string,
    placement?: Placement,
    sources?: readonly CitedSource[] | null,
  ): Promise<string>;
  /** Reads the words of an article as its readers see them. */
  readonly readWords: WordsReader;
}

/** Maximum size of all cached renderings, and of one, in characters. */
const CACHE_SIZE = 8_000_000;
const CACHED_SIZE = 1_000_000;
/** A text up to this length is read here, if it need not be rendered: that takes less than handing it over. */
const SHORT = 20_000;
/** A write waits no longer for the words of its text. */
const WORDS_WAIT_MS = 1_000;
/** Words that a change has read and may need again in a transaction, in characters. */
const WORDS_SIZE = 4_000_000;

/**
 * Creates the renderer of a process. Texts are rendered by helper processes, so that none holds up the event loop, and
 * the results are cached by Site and text (packages/base/markdown/README.md).
 */
type RenderingJobs = InHelpers<{
  renderMarkdown: (input: ToRender) => Rendering;
  readWords: typeof wordsOf;
}>;

export function createRenderer(processes: RenderingJobs): Renderer {
  const cache = new LRUCache<string, Rendering>({
    maxSize: CACHE_SIZE,
    maxEntrySize: CACHED_SIZE,
    sizeCalculation: (rendering, key) => key.length + ('html' in rendering ? rendering.html.length : 0),
  });
  /** Renderings in flight, which requests for the same text share. */
  const inFlight = new Map<string, Promise<Rendering>>();

  async function perform(siteId: string, key: string, toRender: ToRender): Promise<Rendering> {
    try {
      const rendering = await processes.renderMarkdown(siteId, toRender);
      cache.set(key, rendering);
      return rendering;
    } catch (error) {
      if (!(error instanceof JobTooLarge)) throw error;
      const rendering = { refused: `cannot be rendered: ${error.message}` };
      cache.set(key, rendering);
      return rendering;
    } finally {
      inFlight.delete(key);
    }
  }

  const knownWords = new LRUCache<string, ReadWords>({
    maxSize: WORDS_SIZE,
    sizeCalculation: ({ words }, key) => key.length + words.length,
  });

  async function readWords(
    siteId: string,
    { title, excerpt, content }: SearchedText,
  ): Promise<ReadWords | null> {
    const text = { title, excerpt, content };
    const plain = (content?.length ?? 0) <= SHORT ? readPlainWords(text) : null;
    if (plain !== null) return plain;
    const key = `${siteId} ${digestOfText(text)}`;
    const known = knownWords.get(key);
    if (known !== undefined) return known;
    const turn = AbortSignal.timeout(WORDS_WAIT_MS);
    try {
      const read = await processes.readWords(siteId, text, turn);
      knownWords.set(key, read);
      return read;
    } catch (error) {
      if (error instanceof NoPermit || error instanceof JobUnfinished || error === turn.reason) return null;
      // No helper process can read it, so that it is found by the words of its Markdown.
      return wordsOfParts([title, excerpt, content]);
    }
  }

  return {
    readWords,
    async render(siteId, text, placement = {}, sources = null) {
      const definitions = definitionsOf(sources);
      const digest = createHash('sha256')
        .update(JSON.stringify([placement, definitions]))
        .update(text)
        .digest('base64');
      const key = `${siteId} ${digest}`;
      const known = cache.get(key);
      const pending = known ?? inFlight.get(key) ?? perform(siteId, key, { text, placement, definitions });
      if (pending instanceof Promise) inFlight.set(key, pending);
      const rendering = await pending;
      if ('refused' in rendering) throw new MarkdownRefused(rendering.refused);
      return rendering.html;
    },
  };
}
