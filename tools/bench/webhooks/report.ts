/** A measured value, as a line of the report. */
export interface Figure {
  readonly part: string;
  readonly title: string;
  readonly value: number | null;
  readonly unit: string;
  /** The goal, in words. */
  readonly goal?: string;
  /** Set if something was lost or refused: a defect on any machine. */
  readonly failed?: boolean;
}

/** The figures as a text table. */
export function formatFigures(figures: readonly Figure[]): string {
  const header = ['', '', 'measured', '', 'goal'];
  const rows = figures.map(({ part, title, value, unit, goal = '', failed }) => [
    part,
    title,
    value === null ? '–' : format(value),
    unit,
    failed === true ? `${goal} – FAILED` : goal,
  ]);
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((cells) => (cells[column] ?? '').length)),
  );
  return [header, ...rows]
    .map((cells) =>
      cells
        .map((cell, column) =>
          column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const format = (value: number): string =>
  Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value).toString() : value.toFixed(2);
