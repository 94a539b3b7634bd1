import type { ReadWords, SearchedText } from '../../domain/kernel/searched-text.ts';
import { ContentRefused } from '../../packages/base/markdown/bounds.ts';
import { wordsOfParts } from './plain-words.ts';
import { readableText } from './readable.ts';
import { renderTree } from '../../packages/base/markdown/render.ts';

/** The words of an article as its readers see them. Of a content that is not rendered, those of the Markdown. */
export function readWords({ title, excerpt, content }: SearchedText): ReadWords {
  return wordsOfParts([title, excerpt, content === null ? null : readable(content)]);
}

function readable(content: string): string {
  try {
    return readableText(renderTree(content));
  } catch (error) {
    if (error instanceof ContentRefused || error instanceof RangeError) return content;
    throw error;
  }
}
