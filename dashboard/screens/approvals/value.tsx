import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { StatusBadge } from '../../content/status-badge.tsx';
import { SiteTime } from '../../ui/times.tsx';
import { screenTexts } from './text.ts';
import styles from './value.module.css';

/** The name of a field in words, or as the API calls it. */
export function useFieldName(): (name: string) => string {
  const { fields } = useText(screenTexts);
  return (name) => (Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : name);
}

/** As the API writes them. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Any value as text that does nothing: an agent wrote it. */
export function Value({ value }: { readonly value: unknown }): ReactNode {
  const { values: text } = useText(screenTexts);
  if (value === null || value === undefined || value === '') return <em>{text.nothing}</em>;
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  if (Array.isArray(value)) return <List values={value} />;
  if (typeof value === 'object') return <Fields fields={value as Record<string, unknown>} />;
  if (typeof value === 'string' && time.test(value)) return <SiteTime time={value} />;
  return (
    <span dir="auto" className={styles.text}>
      {typeof value === 'string' ? value : JSON.stringify(value)}
    </span>
  );
}

const MOST = 100;

const List = ({ values }: { readonly values: readonly unknown[] }): ReactNode => (
  <ul className={styles.list}>
    {values.slice(0, MOST).map((value, index) => (
      // Two of the same are the same.
      <li key={index}>
        <Value value={value} />
      </li>
    ))}
    {values.length > MOST && <li>…</li>}
  </ul>
);

export function Fields({ fields }: { readonly fields: Readonly<Record<string, unknown>> }): ReactNode {
  const nameOf = useFieldName();
  return (
    <dl className={styles.fields}>
      {Object.entries(fields).map(([name, value]) => (
        <div key={name}>
          <dt>{nameOf(name)}</dt>
          <dd>
            {name === 'status' && typeof value === 'string' ? (
              <StatusBadge status={value} />
            ) : (
              <Value value={value} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
