import { fromParse5 } from 'hast-util-from-parse5';
import { toMdast } from 'hast-util-to-mdast';
import { gfmFootnoteToMarkdown } from 'mdast-util-gfm-footnote';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemToMarkdown } from 'mdast-util-gfm-task-list-item';
import { toMarkdown as write } from 'mdast-util-to-markdown';
import type { Options } from 'mdast-util-to-markdown';
import { parseFragment } from 'parse5';
import { renderMarkdown } from '../../base/markdown/render.ts';
import { parseHtml } from './dom.ts';
import type { DomElement } from './dom.ts';
import { readFootnotes } from './footnotes.ts';
import { writeFormulas } from './formulas.ts';
import { handlers } from './handlers.ts';
import { prepare } from './prepare.ts';
import { tidy } from './tidy.ts';
import { differenceOf, wordsOf } from './words.ts';

export interface HtmlContext {
  /** The base of relative URLs, if known. */
  readonly base: string | null;
  /** Called for content that is left out. */
  readonly note: (message: string) => void;
  /** Called if readers see other words than before. */
  readonly differs: (message: string) => void;
  /** Adapts the document first, for a particular system. */
  readonly adapt?: (body: DomElement) => void;
}

/**
 * Converts HTML to Markdown. Content without a Markdown equivalent (embeds, tables with merged cells) stays HTML. The
 * result is rendered as the product does it, and its words are compared with those of the HTML.
 *
 * @throws Error for HTML that is nested too deeply
 */
export function toMarkdown(html: string, { base, note, differs, adapt }: HtmlContext): string {
  if (html.trim() === '') return '';
  const body = parseHtml(html);
  adapt?.(body);
  writeFormulas(body, note);
  readFootnotes(body);
  const before = wordsOf(body.innerHTML);
  prepare(body, base, note);
  // In an element, or text that stands alone would get no paragraph.
  const content = toMdast(fromParse5(parseFragment(`<div>${body.innerHTML}</div>`)), { handlers });
  const markdown = write(tidy(content), style).trim();
  const rendered = renderMarkdown(markdown);
  const difference =
    'refused' in rendered
      ? `its content ${rendered.refused}, and cannot be shown`
      : differenceOf(before, wordsOf(rendered.html));
  if (difference !== null) differs(difference);
  return markdown;
}

const style: Options = {
  // The text after `http://` would become a part of a link, even code.
  unsafe: [
    {
      character: ':',
      before: '[ps]',
      after: '\\/',
      inConstruct: 'phrasing',
      notInConstruct: ['autolink', 'destinationLiteral', 'destinationRaw', 'titleQuote'],
    },
  ],
  bullet: '-',
  rule: '-',
  listItemIndent: 'one',
  extensions: [
    gfmFootnoteToMarkdown(),
    gfmStrikethroughToMarkdown(),
    gfmTableToMarkdown({ tablePipeAlign: false }),
    gfmTaskListItemToMarkdown(),
  ],
  handlers: {
    break: (_node, _parent, state) => (state.stack.includes('tableCell') ? '<br>' : '\\\n'),
  },
};
