import { Suspense, lazy, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button, Skeleton } from '@mantine/core';
import type { LoadedList } from '../api/list.ts';
import { texts, useText } from '../text/texts.ts';
import type { MeasureRow } from './endless-rows.tsx';
import { ErrorNote } from './notes.tsx';
import { useRowKeys } from './row-keys.ts';
import { Tick } from './tick.tsx';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The column that names the row: wide, and the heading of its card at narrow widths. */
  readonly main?: boolean;
  /** Figures and times stand at the end. */
  readonly align?: 'end';
  /** Such as `8rem`; by default as wide as the content. */
  readonly width?: string;
}

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
}

export interface DataTableProps<Row> {
  /** The name of the list, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly list: LoadedList<Row>;
  readonly idOf: (row: Row) => string;
  /** The name of the row for people: “Select How to brew tea”. */
  readonly nameOf: (row: Row) => string;
  /** Opens a row by Enter or o. The main cell should be a link to the same. */
  readonly onOpen?: (row: Row) => void;
  readonly selection?: Selection;
  /** Buttons or a menu at the end of each row. */
  readonly actions?: (row: Row) => ReactNode;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
}

const tableTexts = texts(
  {
    more: 'Load more',
    loading: 'Loading …',
    select: (name: string) => `Select ${name}`,
    selectAll: 'Select all rows that are loaded',
    actions: 'Actions',
  },
  {
    more: 'Mehr laden',
    loading: 'Wird geladen …',
    select: (name: string) => `${name} auswählen`,
    selectAll: 'Alle geladenen Zeilen auswählen',
    actions: 'Aktionen',
  },
);

/** More rows than this are put on the page only while they are near the screen. */
const FEW = 150;
const EndlessRows = lazy(async () => ({ default: (await import('./endless-rows.tsx')).EndlessRows }));

/** A list of the API as a table, and as cards at narrow widths. Keys: j, k, x, o, and / for the search. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, list, idOf, onOpen, selection, actions, empty } = props;
  const { rows } = list;
  const text = useText(tableTexts);
  const body = useRef<HTMLTableSectionElement>(null);
  const toggle = (id: string): void => {
    if (selection === undefined) return;
    const ids = new Set(selection.ids);
    if (!ids.delete(id)) ids.add(id);
    selection.onChange(ids);
  };
  const keys = useRowKeys({
    count: rows.length,
    body,
    onOpen: (index) => onOpen?.(rows[index] as Row),
    onSelect: (index) => toggle(idOf(rows[index] as Row)),
  });

  if (list.isLoading && list.error === null) return <Waiting label={text.loading} />;
  if (list.error !== null && rows.length === 0) return <ErrorNote error={list.error} retry={list.reload} />;
  if (rows.length === 0 && !list.hasMore) return empty;

  const width = columns.length + (selection ? 1 : 0) + (actions ? 1 : 0);
  const keyOf = (index: number): string => idOf(rows[index] as Row);
  const bodyRow = (index: number, measure?: MeasureRow): ReactNode => (
    <BodyRow
      key={keyOf(index)}
      {...props}
      row={rows[index] as Row}
      index={index}
      tabIndex={index === keys.current ? 0 : -1}
      measure={measure}
      onToggle={toggle}
    />
  );
  const allSelected = selection !== undefined && rows.every((row) => selection.ids.has(idOf(row)));
  return (
    <div className={styles.frame} data-stale={list.isStale || undefined}>
      <table
        className={styles.table}
        role="table"
        aria-label={label}
        aria-rowcount={list.hasMore ? -1 : rows.length + 1}
      >
        <thead className={styles.head} role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {selection !== undefined && (
              <th role="columnheader" className={styles.select}>
                <Tick
                  label={text.selectAll}
                  checked={allSelected}
                  indeterminate={!allSelected && selection.ids.size > 0}
                  onChange={() => selection.onChange(new Set(allSelected ? [] : rows.map(idOf)))}
                />
              </th>
            )}
            {columns.map(({ key, title, align, width }) => (
              <th key={key} role="columnheader" scope="col" data-align={align} style={{ width }}>
                {title}
              </th>
            ))}
            {actions !== undefined && (
              <th role="columnheader" className={styles.actions}>
                <span className={styles.unseen}>{text.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup" onFocus={keys.onFocus}>
          {rows.length > FEW ? (
            <Suspense fallback={rows.map((_, index) => bodyRow(index))}>
              <EndlessRows body={body} count={rows.length} keyOf={keyOf} row={bodyRow} columns={width} />
            </Suspense>
          ) : (
            rows.map((_, index) => bodyRow(index))
          )}
        </tbody>
      </table>
      {list.error !== null && <ErrorNote error={list.error} retry={list.loadMore} />}
      {list.hasMore && (
        <div className={styles.more}>
          <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
            {text.more}
          </Button>
        </div>
      )}
    </div>
  );
}

interface BodyRowProps<Row> extends DataTableProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly tabIndex: number;
  readonly measure: MeasureRow | undefined;
  readonly onToggle: (id: string) => void;
}

function BodyRow<Row>(props: BodyRowProps<Row>): ReactNode {
  const { row, index, columns, selection, actions, idOf, nameOf, onToggle } = props;
  const text = useText(tableTexts);
  const id = idOf(row);
  const isSelected = selection?.ids.has(id);
  return (
    <tr
      ref={props.measure}
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={props.tabIndex}
      className={styles.row}
    >
      {selection !== undefined && (
        <td role="cell" className={styles.select}>
          <Tick
            label={text.select(nameOf(row))}
            checked={isSelected ?? false}
            onChange={() => onToggle(id)}
          />
        </td>
      )}
      {columns.map(({ key, title, cell, main, align }) => (
        <td key={key} role="cell" data-label={title} data-main={main} data-align={align}>
          {cell(row)}
        </td>
      ))}
      {actions !== undefined && (
        <td role="cell" className={styles.actions}>
          {actions(row)}
        </td>
      )}
    </tr>
  );
}

function Waiting({ label }: { readonly label: string }): ReactNode {
  return (
    <div role="status" aria-label={label} className={styles.waiting}>
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} height={20} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </div>
  );
}
