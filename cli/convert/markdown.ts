import TurndownService from 'turndown';
import { isDeeperThan, parseHtml } from './dom.ts';
import type { DomElement } from './dom.ts';
import { showLongRuns } from './long-runs.ts';
import { prepare } from './prepare.ts';
import { addRules } from './rules.ts';

/** Deeper than what people write; what is deeper was made to do harm. */
const DEPTH = 200;

export interface HtmlContext {
  /** What relative addresses are relative to, where it is known. */
  readonly base: string | null;
  /** Told what of the content is left out. */
  readonly note: (message: string) => void;
  /** Changes the document first: what only this kind of export has. */
  readonly adapt?: (body: DomElement) => void;
}

/**
 * HTML as Markdown. What Markdown has no form for (embeds, tables with joined cells) stays HTML.
 *
 * @throws Error for HTML that nobody would write
 */
export function toMarkdown(html: string, { base, note, adapt }: HtmlContext): string {
  if (html.trim() === '') return '';
  const body = parseHtml(html);
  if (isDeeperThan(body, DEPTH)) throw new Error(`its elements are nested more than ${DEPTH} levels deep`);
  adapt?.(body);
  prepare(body, base, note);
  return showLongRuns(service.turndown(body).trim());
}

const service = addRules(
  new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  }),
);
