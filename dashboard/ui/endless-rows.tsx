import { useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import styles from './data-table.module.css';

export type MeasureRow = (element: HTMLTableRowElement | null) => void;

export interface EndlessRowsProps {
  readonly body: RefObject<HTMLTableSectionElement | null>;
  readonly count: number;
  readonly keyOf: (index: number) => string;
  readonly row: (index: number, measure: MeasureRow) => ReactNode;
  /** How many columns a row has. */
  readonly columns: number;
}

/** Rows of a long table, of which only those near the screen are on the page. */
export function EndlessRows({ body, count, keyOf, row, columns }: EndlessRowsProps): ReactNode {
  const [height] = useState(() => heightOfRows(body.current));
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: body.current?.offsetTop ?? 0,
    getItemKey: keyOf,
  });
  const shown = virtual.getVirtualItems();
  const margin = virtual.options.scrollMargin;
  const before = (shown[0]?.start ?? margin) - margin;
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? margin) - margin);
  return (
    <>
      <Space height={before} columns={columns} />
      {shown.map(({ index }) => row(index, virtual.measureElement))}
      <Space height={after} columns={columns} />
    </>
  );
}

const USUAL_HEIGHT = 57;

/** Of those that are there so far, so that the page does not jump when most of them are taken away. */
function heightOfRows(body: HTMLTableSectionElement | null): number {
  const rows = body?.querySelectorAll('tr[data-index]').length ?? 0;
  return body === null || rows === 0 ? USUAL_HEIGHT : body.offsetHeight / rows;
}

/** The place of rows that are not on the page. */
const Space = ({ height, columns }: { readonly height: number; readonly columns: number }): ReactNode =>
  height > 0 && (
    <tr role="presentation" aria-hidden="true">
      <td role="presentation" className={styles.space} colSpan={columns} style={{ height }} />
    </tr>
  );
