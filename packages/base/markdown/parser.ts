import Parser from 'markdown-it';
import type { MarkdownIt, StateCore } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { linkAddresses } from './addresses.ts';
import { boundWork } from './bounds.ts';
import { foldLabels, nameFootnotes } from './footnotes.ts';
import { showUnclosedTags } from './raw-tags.ts';
import { strikethrough } from './strikethrough.ts';

export type { MarkdownIt, Ruler, StateBlock, StateInline, Token } from 'markdown-it';

/**
 * A parser of CommonMark with GFM and footnotes. It keeps raw HTML and links of every scheme: the schema decides about
 * both.
 */
export function createParser(): MarkdownIt {
  const parser = new Parser({ html: true, linkify: true });
  parser.validateLink = () => true;
  // An address is shown as it was written, not decoded.
  parser.normalizeLinkText = (address) => address;
  linkAddresses(parser);
  strikethrough(parser);
  parser.use(footnotes).disable('footnote_inline');
  foldLabels(parser);
  nameFootnotes(parser);
  showUnclosedTags(parser);
  parser.core.ruler.after('inline', 'tasks', markTasks);
  parser.core.ruler.push('alignment', alignCells);
  boundWork(parser);
  return parser;
}

const task = /^\[([ \txX])\](?=[ \t])/;

/** Turns the `[ ]` or `[x]` at the beginning of a list item into a checkbox. */
function markTasks({ tokens, Token }: StateCore): void {
  for (const [index, { type, children }] of tokens.entries()) {
    const isFirst =
      tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open';
    const [text] = type === 'inline' && isFirst ? (children ?? []) : [];
    if (text?.type !== 'text') continue;
    const [mark, state] = task.exec(text.content) ?? [];
    if (mark === undefined) continue;
    text.content = text.content.slice(mark.length);
    const box = new Token('task', 'input', 0);
    box.attrs = [
      ['type', 'checkbox'],
      ['disabled', ''],
    ];
    if (state === 'x' || state === 'X') box.attrs.push(['checked', '']);
    children?.unshift(box);
  }
}

/** Alignment by attribute, as GFM has it: the schema removes styles. */
function alignCells({ tokens }: StateCore): void {
  for (const token of tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue;
    const [, side] = /^text-align:(\w+)$/.exec(String(token.attrGet('style'))) ?? [];
    if (side !== undefined) token.attrs = [['align', side]];
  }
}
