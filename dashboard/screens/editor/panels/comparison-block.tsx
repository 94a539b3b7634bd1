import type { ReactNode } from 'react';
import type { Comparison } from '../../../../sdk/src/index.ts';
import { useText } from '../../../text/texts.ts';
import { ActionIcon, Button, TextInput } from '../../../ui/controls.ts';
import { Icon } from '../../../ui/icons.tsx';
import { textOrNull, useField } from '../fields.ts';
import { panelTexts } from './text.ts';
import styles from './panels.module.css';

const MOST = 100;

const first: Comparison = { title: null, columns: ['', ''], rows: [{ label: '', values: ['', ''] }] };

/** A table with as many values in each row as it has columns. */
export function ComparisonBlock(): ReactNode {
  const text = useText(panelTexts);
  const { value, set, errorAt } = useField('comparison');
  return (
    <section className={styles.block}>
      <h2>{text.comparison}</h2>
      {errorAt() !== undefined && <p role="alert">{errorAt()}</p>}
      {value === null ? (
        <div>
          <Button size="compact-sm" variant="default" onClick={() => set(first)}>
            {text.addComparison}
          </Button>
        </div>
      ) : (
        <>
          <TextInput
            label={text.comparisonTitle}
            dir="auto"
            value={value.title ?? ''}
            error={errorAt('title')}
            onChange={({ currentTarget }) => set({ ...value, title: textOrNull(currentTarget.value) })}
          />
          <Grid value={value} set={set} errorAt={errorAt} />
          <div className={styles.row}>
            <Button
              size="compact-sm"
              variant="default"
              disabled={value.columns.length >= MOST}
              onClick={() => set(withColumn(value))}
            >
              {text.addColumn}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              disabled={value.rows.length >= MOST}
              onClick={() =>
                set({ ...value, rows: [...value.rows, { label: '', values: value.columns.map(() => '') }] })
              }
            >
              {text.addRow}
            </Button>
            <Button size="compact-sm" variant="subtle" color="red" onClick={() => set(null)}>
              {text.removeComparison}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

interface GridProps {
  readonly value: Comparison;
  readonly set: (value: Comparison) => void;
  readonly errorAt: (path: string) => string | undefined;
}

function Grid({ value, set, errorAt }: GridProps): ReactNode {
  const text = useText(panelTexts);
  const { columns, rows } = value;
  const input = (label: string, path: string, shown: string, change: (typed: string) => void): ReactNode => (
    <TextInput
      size="xs"
      aria-label={label}
      dir="auto"
      value={shown}
      error={errorAt(path)}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
  const remove = (name: string, change: () => void): ReactNode => (
    <ActionIcon variant="subtle" color="gray" size={24} aria-label={text.remove(name)} onClick={change}>
      <Icon name="close" size={14} />
    </ActionIcon>
  );
  return (
    <div className={styles.grid} tabIndex={0} role="group" aria-label={text.comparison}>
      <table>
        <thead>
          <tr>
            <td />
            {columns.map((column, at) => (
              // oxlint-disable-next-line react/no-array-index-key
              <th key={at} scope="col">
                {input(text.column(at + 1), `columns.${at}`, column, (typed) =>
                  set({ ...value, columns: columns.with(at, typed) }),
                )}
                {columns.length > 1 && remove(text.columnNth(at + 1), () => set(withoutColumn(value, at)))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, values }, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={at}>
              <th scope="row">
                {input(text.row(at + 1), `rows.${at}.label`, label, (typed) =>
                  set({ ...value, rows: rows.with(at, { label: typed, values }) }),
                )}
              </th>
              {values.map((cell, column) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td key={column}>
                  {input(text.cell(at + 1, column + 1), `rows.${at}.values.${column}`, cell, (typed) =>
                    set({ ...value, rows: rows.with(at, { label, values: values.with(column, typed) }) }),
                  )}
                </td>
              ))}
              <td>{remove(text.rowNth(at + 1), () => set({ ...value, rows: rows.toSpliced(at, 1) }))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const withColumn = (value: Comparison): Comparison => ({
  ...value,
  columns: [...value.columns, ''],
  rows: value.rows.map(({ label, values }) => ({ label, values: [...values, ''] })),
});

const withoutColumn = (value: Comparison, at: number): Comparison => ({
  ...value,
  columns: value.columns.toSpliced(at, 1),
  rows: value.rows.map(({ label, values }) => ({ label, values: values.toSpliced(at, 1) })),
});
