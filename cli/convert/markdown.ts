import TurndownService from 'turndown';
import { isDeeperThan, parseHtml } from './dom.ts';
import type { DomElement } from './dom.ts';
import { showLongRuns } from './long-runs.ts';
import { prepare } from './prepare.ts';
import { addRules } from './rules.ts';

/** The maximum nesting depth. People do not write deeper HTML, so deeper nesting is an attack. */
const DEPTH = 200;

export interface HtmlContext {
  /** The base of relative URLs, if known. */
  readonly base: string | null;
  /** Called for content that is left out. */
  readonly note: (message: string) => void;
  /** Adapts the document first, for a particular system. */
  readonly adapt?: (body: DomElement) => void;
}

/**
 * Converts HTML to Markdown. Content without a Markdown equivalent (embeds, tables with merged cells) stays HTML.
 *
 * @throws Error for HTML that is nested too deeply
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
