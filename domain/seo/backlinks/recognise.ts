import { columnsByName, isGeneric, toolOf } from './columns.ts';
import type { Columns } from './columns.ts';
import { readDate } from './dates.ts';
import type { BacklinkSource } from './link.ts';

/** The kind of a file, or why it cannot be read. */
export type Recognised =
  | { readonly source: BacklinkSource; readonly columns: Columns }
  | { readonly refused: string };

const toolNames: Readonly<Record<BacklinkSource, string>> = {
  ahrefs: 'Ahrefs',
  semrush: 'Semrush',
  search_console: 'Search Console',
  generic: 'the plain form',
};

const noSources =
  'has no column with the addresses of linking pages. Export the list of links (in Search Console “Latest links”), or send a file with the columns source_url,target_url';
const notRecognised =
  'is no list of links that is known: the first line must have the names of the columns. Send an export of Ahrefs, Semrush or Search Console, or a file with the columns source_url,target_url';

/**
 * Finds the columns of a file by their names, and if these are translated, by their cells.
 *
 * @param rows the first lines after the header
 * @param asked the tool that the client names
 * @param domain of the Site
 */
export function recognise(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  asked: BacklinkSource | 'auto',
  domain: string,
): Recognised {
  if (header.some((cell) => hostOf(cell) !== null)) return { refused: notRecognised };
  if (asked === 'generic' && !isGeneric(header))
    return { refused: 'must have the columns source_url,target_url for the source generic' };
  const table = tableOf(rows, domain);
  const named = withTarget(columnsByName(header), table);
  const tool = toolOf(header, named);
  if (tool === 'generic' && !isGeneric(header))
    return { refused: 'must have the column target_url besides source_url' };
  if (named.source !== undefined && tool !== null) {
    if (asked !== 'auto' && asked !== tool && !(tool === 'generic' && asked !== 'search_console'))
      return { refused: `is an export of ${toolNames[tool]}: send it with the source ${tool}, or with auto` };
    return { source: asked === 'auto' ? tool : asked, columns: named };
  }
  return byShape(named, table, asked);
}

/** The cells of the first lines, by column. */
interface Table {
  /** The cells with text, by column. */
  readonly cells: readonly (readonly string[])[];
  /** The columns with addresses. */
  readonly addresses: readonly number[];
  /** Whether the addresses of a column are of the Site. */
  readonly isOwn: (at: number) => boolean;
}

function tableOf(rows: readonly (readonly string[])[], domain: string): Table {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const cells = Array.from({ length: width }, (_, at) =>
    rows.map((row) => (row[at] ?? '').trim()).filter((cell) => cell !== ''),
  );
  const isOfSite = (cell: string): boolean => isWithin(hostOf(cell) ?? '', domain);
  return {
    cells,
    addresses: cells.flatMap((column, at) => (mostly(column, isAddress) ? [at] : [])),
    isOwn: (at) => mostly(cells[at] ?? [], isOfSite),
  };
}

/** Finds the target by its cells if its heading is not known: without one, all links would lead to the home page. */
function withTarget(named: Columns, { addresses, isOwn }: Table): Columns {
  if (named.source === undefined || named.target !== undefined) return named;
  const others = unnamed(addresses, named);
  return withoutMissing({ ...named, target: others.find(isOwn) ?? others[0] });
}

/** An anchor is often an address, too. */
const unnamed = (addresses: readonly number[], named: Columns): readonly number[] =>
  addresses.filter((at) => !Object.values(named).includes(at));

function byShape(
  named: Columns,
  { cells, addresses, isOwn }: Table,
  asked: BacklinkSource | 'auto',
): Recognised {
  const free = unnamed(addresses, named);
  const source = free.find((at) => !isOwn(at));
  if (source === undefined) return { refused: addresses.length > 0 ? noSources : notRecognised };
  const target = free.find((at) => at > source) ?? free.find((at) => at !== source);
  const dates = cells.flatMap((column, at) =>
    mostly(column, (cell) => readDate(cell) !== null) ? [at] : [],
  );
  const [firstSeen, lastSeen] = dates.length > 1 ? dates : [undefined, dates[0]];
  return {
    source: asked === 'auto' ? toolByShape(cells, target, dates.length) : asked,
    columns: withoutMissing({ firstSeen, lastSeen, ...named, source, target: named.target ?? target }),
  };
}

/** Search Console names no target; Semrush begins with a score; Ahrefs has more than the two addresses. */
function toolByShape(
  cells: readonly (readonly string[])[],
  target: number | undefined,
  dates: number,
): BacklinkSource {
  if (target === undefined) return 'search_console';
  if (mostly(cells[0] ?? [], (cell) => /^\d{1,3}$/.test(cell))) return 'semrush';
  return cells.length - dates > 3 ? 'ahrefs' : 'generic';
}

const withoutMissing = (columns: Readonly<Record<string, number | undefined>>): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([, at]) => at !== undefined));

/** A few cells may be damaged. */
const mostly = (cells: readonly string[], test: (cell: string) => boolean): boolean =>
  cells.length > 0 && cells.filter(test).length * 5 >= cells.length * 4;

const isAddress = (cell: string): boolean => hostOf(cell) !== null;

const hostOf = (cell: string): string | null =>
  /^\s*https?:\/\//i.test(cell) ? (URL.parse(cell.trim())?.hostname ?? null) : null;

/** @param host as URLs have it @param domain as people write it: in any case and script, also with a port */
function isWithin(host: string, domain: string): boolean {
  const own = new URL(`https://${domain}`).hostname;
  return host === own || host.endsWith(`.${own}`);
}
