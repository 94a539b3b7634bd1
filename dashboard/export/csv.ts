export type Cell = string | number | null;

/** Signs that spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** A value as RFC 4180 writes it; a text that a spreadsheet would calculate gets an apostrophe before it. */
function field(cell: Cell): string {
  const value = cell === null ? '' : String(cell);
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(field).join(',')}\r\n`;
