import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Presswork } from '../../sdk/src/index.ts';
import { useFailure } from '../api/failure.ts';
import { useSite } from '../api/site.ts';
import { useFormat } from '../text/format.ts';
import { texts, useText } from '../text/texts.ts';
import { Button, Group, Text } from '../ui/controls.ts';
import { toast } from '../session/toast.ts';
import { csvLine } from './csv.ts';
import type { Cell } from './csv.ts';

const exportTexts = texts(
  {
    start: 'Export as CSV',
    stop: 'Stop',
    progress: (rows: string) => `${rows} rows read …`,
    done: (rows: string) => `${rows} rows are in the file.`,
    bounded: (rows: string) =>
      `The file has the first ${rows} rows. Narrow the list by time to export the others.`,
  },
  {
    start: 'Als CSV exportieren',
    stop: 'Anhalten',
    progress: (rows: string) => `${rows} Zeilen gelesen …`,
    done: (rows: string) => `${rows} Zeilen stehen in der Datei.`,
    bounded: (rows: string) =>
      `Die Datei enthält die ersten ${rows} Zeilen. Grenzen Sie die Liste zeitlich ein, um die übrigen zu exportieren.`,
  },
);

const PAGE = 100;
const MOST_ROWS = 10_000;

export interface ExportProps<Row> {
  /** Without the ending. */
  readonly fileName: string;
  readonly header: readonly string[];
  readonly load: (
    presswork: Presswork,
    page: { limit: number; cursor?: string },
    options: { signal: AbortSignal },
  ) => PromiseLike<{ readonly items: readonly Row[]; readonly next_cursor: string | null }>;
  readonly cells: (row: Row) => readonly Cell[];
}

/** Reads the list page by page, and gives it away as a file. */
export function ExportButton<Row>({ fileName, header, load, cells }: ExportProps<Row>): ReactNode {
  const { presswork } = useSite();
  const text = useText(exportTexts);
  const format = useFormat();
  const failure = useFailure();
  const [read, setRead] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const start = async (): Promise<void> => {
    const { signal } = (running.current = new AbortController());
    const lines = [csvLine(header)];
    setRead(0);
    try {
      let cursor: string | null | undefined;
      do {
        const page = await load(presswork, { limit: PAGE, ...(cursor && { cursor }) }, { signal });
        lines.push(...page.items.map((row) => csvLine(cells(row))));
        setRead(lines.length - 1);
        cursor = page.next_cursor;
      } while (cursor !== null && lines.length <= MOST_ROWS);
      give(`${fileName}.csv`, lines);
      const rows = format.number(lines.length - 1);
      toast.done(cursor === null ? text.done(rows) : text.bounded(rows));
    } catch (error) {
      if (!signal.aborted) toast.error(failure(error));
    } finally {
      setRead(null);
    }
  };
  if (read === null)
    return (
      <Button variant="default" onClick={() => void start()}>
        {text.start}
      </Button>
    );
  return (
    <Group gap="sm">
      <Text size="sm" role="status">
        {text.progress(format.number(read))}
      </Text>
      <Button variant="default" onClick={() => running.current?.abort()}>
        {text.stop}
      </Button>
    </Group>
  );
}

function give(name: string, lines: readonly string[]): void {
  // The mark makes spreadsheets read UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', ...lines], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
