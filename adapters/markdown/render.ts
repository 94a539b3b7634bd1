import { createParser } from './parser.ts';
import { sanitise } from './sanitise.ts';

/** The HTML, or why there is none: an end of a sentence that begins with "The content". */
export type Rendering = { readonly html: string } | { readonly refused: string };

/** Maximum length of the HTML. References to a long link make it many times as long as the text. */
const MAX_LENGTH = 4_000_000;

const parser = createParser();

/**
 * Renders Markdown, CommonMark with GFM, as sanitised HTML (docs/spec/rulings.md, 15). The same text always gives the
 * same HTML. A hostile text takes seconds: call it by a renderer.
 */
export function renderMarkdown(text: string): Rendering {
  try {
    const html = parser.render(text).trimEnd();
    const sanitised = html.length > MAX_LENGTH ? html : sanitise(html);
    return sanitised.length > MAX_LENGTH ? tooLong : { html: sanitised };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Either the longest string is exceeded or the stack is used up.
    return error.message.includes('string') ? tooLong : { refused: 'is nested too deeply' };
  }
}

const tooLong: Rendering = { refused: `has more than ${MAX_LENGTH} characters as HTML` };
