import { parse } from 'csv-parse/sync';
import type { BacklinkSource, ReadFile, ReadLink, Rejection } from '../../domain/seo/backlinks/link.ts';
import { recognise } from '../../domain/seo/backlinks/recognise.ts';
import type { Blog } from '../../domain/purge/public-urls.ts';
import { readLine } from './read-line.ts';

/** Lines of one file, besides its header: more would take longer than a request may. */
const LINE_LIMIT = 25_000;
/** Rejected lines that an answer names. */
const REJECTED_SHOWN = 100;
/** Lines by which the columns are recognised. */
const SAMPLE = 20;

export interface FileToRead {
  readonly csv: string;
  readonly source: BacklinkSource | 'auto';
  /** Where the links should lead. */
  readonly blog: Blog;
}

/** The links of a file, or why it is refused: the end of a sentence that begins with its name. */
export type Reading = ReadFile | { readonly refused: string };

/** Reads an export of links. The time depends on the file, so call it in a helper process if that is large. */
export function readFile({ csv, source: asked, blog }: FileToRead): Reading {
  // The parser counts the two characters of Windows' line ends within quotes as two lines.
  const text = csv.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const delimiter = delimiterOf(text);
  const [header = [], ...sample] = firstRecords(text, delimiter);
  const recognised = recognise(header, sample, asked, blog.domain);
  if ('refused' in recognised) return recognised;
  const links = new Map<string, ReadLink>();
  const rejected: Rejection[] = [];
  let rejectedTotal = 0;
  const reject = (line: number, message: string): void => {
    rejectedTotal += 1;
    if (rejected.length < REJECTED_SHOWN) rejected.push({ line, message });
  };
  let records = 0;
  let headerSeen = false;
  eachRecord(text, delimiter, reject, (record, line) => {
    records += 1;
    if (isBlank(record)) return;
    if (!headerSeen) {
      headerSeen = true;
      return;
    }
    const read = readLine(record, recognised.columns, blog);
    if ('wrong' in read) reject(line, read.wrong);
    else links.set(read.key, merged(links.get(read.key), read));
  });
  if (records > LINE_LIMIT + 1)
    return { refused: `has more than ${LINE_LIMIT.toLocaleString('en')} lines: send it in several parts` };
  return { source: recognised.source, links: [...links.values()], rejected, rejectedTotal };
}

/** A link that a file names twice was seen from the first time to the last. */
function merged(known: ReadLink | undefined, again: ReadLink): ReadLink {
  if (known === undefined) return again;
  const times = (name: 'firstSeen' | 'lastSeen') =>
    [known[name], again[name]].flatMap((time) => (time === null ? [] : [time.getTime()]));
  const [firsts, lasts] = [times('firstSeen'), times('lastSeen')];
  return {
    ...known,
    firstSeen: firsts.length === 0 ? null : new Date(Math.min(...firsts)),
    lastSeen: lasts.length === 0 ? null : new Date(Math.max(...lasts)),
  };
}

const options = {
  record_delimiter: '\n',
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
} as const;

/** @returns the records at the beginning; fewer if a quote is not closed */
function firstRecords(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  try {
    parse(text, {
      ...options,
      delimiter,
      to: SAMPLE + 1,
      on_record(record: string[]) {
        if (!isBlank(record)) records.push(record);
        return null;
      },
    });
  } catch {
    // It is found again when all is read, with its line.
  }
  return records;
}

function eachRecord(
  text: string,
  delimiter: string,
  reject: (line: number, message: string) => void,
  visit: (record: string[], line: number) => void,
): void {
  let next = 1;
  try {
    parse(text, {
      ...options,
      delimiter,
      to: LINE_LIMIT + 2,
      on_record(record: string[], { lines }) {
        next = lines + 1;
        visit(record, lines - newlinesIn(record));
        return null;
      },
    });
  } catch {
    const line =
      next +
      text
        .split('\n')
        .slice(next - 1)
        .findIndex((rest) => rest.trim() !== '');
    reject(line, 'has a quotation mark that is not closed: nothing was read from here on');
  }
}

/** A line of a spreadsheet without text has its separators. */
const isBlank = (record: readonly string[]): boolean => record.every((cell) => cell.trim() === '');

/** A record ends on the line that the parser has reached; quoted line breaks are in its cells. */
function newlinesIn(record: readonly string[]): number {
  let count = 0;
  for (const cell of record)
    for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The separator that the first line with text has most often, outside quotes. */
function delimiterOf(text: string): string {
  const counts = new Map([',', ';', '\t'].map((candidate) => [candidate, 0]));
  let quoted = false;
  for (const character of text.trimStart()) {
    if (character === '"') quoted = !quoted;
    if (character === '\n' && !quoted) break;
    const count = counts.get(character);
    if (count !== undefined && !quoted) counts.set(character, count + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? ',';
}
