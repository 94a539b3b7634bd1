import { build } from './dom.ts';
import type { DomElement } from './dom.ts';
import { inLines } from './lines.ts';

const KEPT = 'data-presswork-kept';
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
  // Code in a cell cannot have a backslash before a bar.
  if ([...table.querySelectorAll('code')].some((code) => code.textContent.includes('\\|'))) return false;
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
  const grid = rows.map((row) => [...row.children]);
  if (!hasHeader) grid.unshift([]);
  const plain = grid.map((cells, index) => {
    const name = index === 0 ? 'th' : 'td';
    const missing = Array.from({ length: width - cells.length }, () => build(table, name));
    return build(table, 'tr', ...cells.map((cell) => cellOf(cell, name)), ...missing);
  });
  if (title !== null) table.before(build(table, 'figcaption', ...title.childNodes));
  table.replaceChildren(...plain);
}

function cellOf(cell: DomElement, name: string): DomElement {
  const style = cell.getAttribute('style') ?? '';
  const align =
    cell.getAttribute('align') ?? /text-align:\s*(\w+)/.exec(style)?.[1] ?? cell.getAttribute('data-align');
  const plain = build(cell, name, ...inLines(cell));
  if (align !== null) plain.setAttribute('align', align.toLowerCase());
  return plain;
}
