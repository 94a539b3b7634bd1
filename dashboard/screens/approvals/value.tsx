import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { roleTexts } from '../../session/role-texts.ts';
import { StatusBadge } from '../../content/status-badge.tsx';
import { SiteTime } from '../../ui/times.tsx';
import { fieldTexts } from '../editor/field-text.ts';
import { Articles, Named, hasIds } from './named.tsx';
import type { NamedArticle } from './target.ts';
import { requestTexts } from './field-text.ts';
import styles from './value.module.css';

/** The name of a field in words, or as the API calls it. */
export function useFieldName(): (name: string) => string {
  const fields: Readonly<Record<string, string>> = {
    ...useText(fieldTexts),
    ...useText(requestTexts).fields,
  };
  return (name) => (Object.hasOwn(fields, name) ? (fields[name] ?? name) : name);
}

/** As the API writes them. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The value of a field: what its ids stand for, and the status in words. */
export function FieldValue({ name, value }: { readonly name: string; readonly value: unknown }): ReactNode {
  if (name === 'status' && typeof value === 'string') return <StatusBadge status={value} />;
  const words = useWords(name);
  if (typeof value === 'string' && Object.hasOwn(words, value)) return words[value];
  if (name === 'titles' && Array.isArray(value)) return <Articles articles={value as NamedArticle[]} />;
  if (hasIds(name) && typeof value === 'string') return <Named field={name} id={value} index={0} />;
  if (hasIds(name) && Array.isArray(value))
    return (
      <List values={value} shown={(id, index) => <Named field={name} id={String(id)} index={index} />} />
    );
  return <Value value={value} />;
}

/** What a field says in words of the API, in words. */
function useWords(field: string): Readonly<Record<string, string>> {
  const { words } = useText(requestTexts);
  const roles = useText(roleTexts);
  if (field === 'role') return roles;
  return Object.hasOwn(words, field) ? words[field as keyof typeof words] : {};
}

/** Any value as text that does nothing: an agent wrote it. */
export function Value({ value }: { readonly value: unknown }): ReactNode {
  const { values: text } = useText(requestTexts);
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

interface ListProps {
  readonly values: readonly unknown[];
  readonly shown?: (value: unknown, index: number) => ReactNode;
}

const List = ({ values, shown = (value) => <Value value={value} /> }: ListProps): ReactNode => (
  <ul className={styles.list}>
    {values.slice(0, MOST).map((value, index) => (
      // Two of the same are the same.
      <li key={index}>{shown(value, index)}</li>
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
            <FieldValue name={name} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
