import type TurndownService from 'turndown';
import { build, joinLines, linesOf } from './dom.ts';
import type { DomElement } from './dom.ts';
import { hideLongRuns } from './long-runs.ts';

const KEPT = 'data-presswork-kept';
/** Replaces a line break that has to be kept: a non-character, which texts do not contain. */
const BREAK = '\uFDD3';
const ALIGNMENT = 'data-presswork-align';
const BLOCKS =
  'ul, ol, pre, blockquote, h1, h2, h3, h4, h5, h6, iframe, video, audio, table, hr, dl, details';

/** Gives tables a header and rows of equal length; marks tables that cannot be expressed in Markdown. */
export function prepareTables(body: DomElement): void {
  for (const table of body.querySelectorAll('table')) {
    if (table.closest(`[${KEPT}]`) !== null) continue;
    const rows = [...table.querySelectorAll('tr')];
    if (isSimple(table, rows)) simplify(table, rows);
    else table.setAttribute(KEPT, '');
  }
}

function isSimple(table: DomElement, rows: readonly DomElement[]): boolean {
  if (rows.length === 0 || rows.some((row) => row.children.length > 100)) return false;
  if (table.querySelector(BLOCKS) !== null) return false;
  return [...table.querySelectorAll('td, th')].every(
    (cell) => spanOf(cell, 'colspan') === 1 && spanOf(cell, 'rowspan') === 1,
  );
}

const spanOf = (cell: DomElement, name: string): number => Number(cell.getAttribute(name) ?? 1);

function simplify(table: DomElement, rows: readonly DomElement[]): void {
  const width = Math.max(...rows.map(({ children }) => children.length));
  const title = table.querySelector('caption');
  const first = rows[0] as DomElement;
  const hasHeader =
    first.closest('thead') !== null || [...first.children].every(({ localName }) => localName === 'th');
  const grid = rows.map((row) => [...row.children].map((cell) => cellOf(cell)));
  if (!hasHeader) grid.unshift([]);
  const plain = grid.map((cells) =>
    build(table, 'tr', ...cells, ...Array.from({ length: width - cells.length }, () => build(table, 'td'))),
  );
  if (title !== null) table.before(build(table, 'figcaption', ...title.childNodes));
  table.replaceChildren(...plain);
}

function cellOf(cell: DomElement): DomElement {
  const style = cell.getAttribute('style') ?? '';
  const align =
    cell.getAttribute('align') ?? /text-align:\s*(\w+)/.exec(style)?.[1] ?? cell.getAttribute('data-align');
  const plain = build(cell, 'td', ...cell.childNodes);
  if (align !== null) plain.setAttribute(ALIGNMENT, align.toLowerCase());
  return plain;
}

const DELIMITERS: Readonly<Record<string, string>> = { left: ':--', center: ':-:', right: '--:' };

/** The delimiter of a column, by the alignment of the first cell that has one. */
function delimiterOf(...cells: readonly (DomElement | undefined)[]): string {
  const alignment = cells
    .map((cell) => cell?.getAttribute(ALIGNMENT))
    .find((value) => typeof value === 'string');
  return DELIMITERS[alignment ?? ''] ?? '---';
}

export function addTableRules(service: TurndownService): void {
  const add = (name: string, replacement: (content: string, element: DomElement) => string): void => {
    service.addRule(`table-${name}`, {
      filter: name as TurndownService.Filter & string,
      replacement: (content, node) => replacement(content, node as DomElement),
    });
  };
  add(
    'td',
    (content) =>
      ` ${linesOf(content)
        .join('<br>')
        .replaceAll(/(?<!\\)\|/g, '\\|')} |`,
  );
  add('tr', (content, row) => {
    const line = `|${content}\n`;
    if (row.previousSibling !== null) return line;
    const below = [...(row.nextElementSibling ?? row).children];
    const delimiters = [...row.children].map((cell, column) => ` ${delimiterOf(below[column], cell)} |`);
    return `${line}|${delimiters.join('')}\n`;
  });
  add('table', (content, table) => {
    if (table.getAttribute(KEPT) === null) return `\n\n${content.trim()}\n\n`;
    return `\n\n${hideLongRuns(kept(table))}\n\n`;
  });
}

/** The table as HTML, without empty lines, which would end an HTML block in Markdown. */
function kept(table: DomElement): string {
  for (const pre of table.querySelectorAll('pre')) pre.innerHTML = pre.innerHTML.replaceAll('\n', BREAK);
  return joinLines(table.outerHTML.replaceAll(` ${KEPT}=""`, '').replaceAll(BREAK, '&#10;'));
}
