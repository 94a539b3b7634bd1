/** A line of a text, and where it begins. */
export interface Line {
  readonly start: number;
  readonly text: string;
}

/** Where a character of the content of a block stands in the text; null if that is not known. */
export type Place = (offset: number) => number | null;

const nowhere: Place = () => null;

/** Of a block, each line of the content is the end of a line of the text: before it are the marks of lists and quotes. */
export function placeBlock(content: string, lines: readonly Line[], first: number): Place {
  const starts: number[] = [];
  const shifts: (number | null)[] = [];
  let start = 0;
  for (const [index, part] of content.split('\n').entries()) {
    starts.push(start);
    const { start: before = 0, text = '' } = lines[first + index] ?? {};
    const at = text.endsWith(part) ? text.length - part.length : text.lastIndexOf(part);
    shifts.push(at < 0 ? null : before + at - start);
    start += part.length + 1;
  }
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    const shift = shifts[low] ?? null;
    return shift === null ? null : offset + shift;
  };
}

/** Of a cell of a table, bars are written with a backslash. */
export function placeCell(
  content: string,
  line: Line | undefined,
  from: number,
): { readonly place: Place; readonly end: number } {
  const written = content.replaceAll('|', '\\|');
  const at = line === undefined ? -1 : line.text.indexOf(written, from);
  if (line === undefined || at < 0) return { place: nowhere, end: from };
  return {
    end: at + written.length,
    place: (offset) => line.start + at + content.slice(0, offset).replaceAll('|', '\\|').length,
  };
}
