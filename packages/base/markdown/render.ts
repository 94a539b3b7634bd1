import { ContentRefused, MAX_LENGTH, tooDeep, tooLong } from './bounds.ts';
import { createParser } from './parser.ts';
import type { Placement } from './place.ts';
import type { Tree } from './read-html.ts';
import { sanitise, writeHtml } from './sanitise.ts';

/** The HTML, or why there is none: an end of a sentence that begins with "The content". */
export type Rendering = { readonly html: string } | { readonly refused: string };

/** A text as helper processes get it. */
export interface ToRender {
  readonly text: string;
  readonly placement: Placement;
  /** Of footnotes, which count where the text has none of its own. */
  readonly definitions?: string;
}

const parser = createParser();

/**
 * Renders Markdown, CommonMark with GFM, as sanitised HTML (docs/spec/rulings.md, 15). The same text always gives the
 * same HTML, or is refused. A hostile text takes seconds: call it by a renderer.
 *
 * @param definitions of footnotes, which count where the text has none of its own
 */
export function renderMarkdown(text: string, placement: Placement = {}, definitions = ''): Rendering {
  try {
    const html = writeHtml(renderTree(text, placement, definitions));
    if (html.length > MAX_LENGTH) throw tooLong();
    return { html };
  } catch (error) {
    if (error instanceof ContentRefused) return { refused: error.message };
    // The stack is used up: no text is known whose depth is not counted before.
    if (error instanceof RangeError) return { refused: tooDeep().message };
    throw error;
  }
}

/** @throws ContentRefused */
export function renderTree(text: string, placement: Placement = {}, definitions = ''): Tree {
  const html = parser.render(text, { definitions }).trimEnd();
  if (html.length > MAX_LENGTH) throw tooLong();
  return sanitise(html, placement);
}
