/** Months as exports abbreviate them, by their first letters without accents: English, German, French, Spanish. */
const months: readonly (readonly string[])[] = [
  ['jan', 'ene'],
  ['feb', 'fev'],
  ['mar', 'mrz'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai'],
  ['jun', 'juin'],
  ['jul', 'juil'],
  ['aug', 'aou', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt'],
  ['nov'],
  ['dec', 'dez', 'dic'],
];

/** How much of a cell is looked at: no date is longer. */
const LONGEST = 40;

const isoForm =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?(?: ?(?:Z|UTC))?$/i;
const numbersForm = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?: .*)?$/;
const dayFirstForm = /^(\d{1,2})\.? (?:de )?(\p{L}{3,12})\.?,? (?:de )?(\d{4})(?: .*)?$/u;
const monthFirstForm = /^(\p{L}{3,12})\.? (\d{1,2}),? (\d{4})(?: .*)?$/u;

/** The time that a cell of an export names, in UTC if it does not say; null if it is no date. */
export function readDate(cell: string): Date | null {
  const text = cell.trim();
  if (text === '' || text.length > LONGEST) return null;
  const iso = isoForm.exec(text);
  if (iso !== null) {
    const [, year, month, day, hours = '0', minutes = '0', seconds = '0'] = iso.map(String);
    const time = [hours, minutes, seconds].map((part) => (part === 'undefined' ? 0 : Number(part)));
    return dateOf(Number(year), Number(month), Number(day), time);
  }
  const numbers = numbersForm.exec(text);
  if (numbers !== null) return ofNumbers(Number(numbers[1]), Number(numbers[3]), Number(numbers[4]));
  const dayFirst = dayFirstForm.exec(text);
  if (dayFirst !== null) return dateOf(Number(dayFirst[3]), monthOf(dayFirst[2]), Number(dayFirst[1]));
  const monthFirst = monthFirstForm.exec(text);
  if (monthFirst !== null)
    return dateOf(Number(monthFirst[3]), monthOf(monthFirst[1]), Number(monthFirst[2]));
  return null;
}

/** The day comes first, as in most languages, unless it can only be the month. */
const ofNumbers = (first: number, second: number, year: number): Date | null =>
  second > 12 ? dateOf(year, first, second) : dateOf(year, second, first);

function monthOf(name = ''): number {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return months.findIndex((names) => names.some((beginning) => plain.startsWith(beginning))) + 1;
}

function dateOf(
  year: number,
  month: number,
  day: number,
  [hours = 0, minutes = 0, seconds = 0]: number[] = [],
) {
  const date = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
  const same = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hours;
  return same && year >= 1990 ? date : null;
}
