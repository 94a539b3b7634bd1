import { useState } from 'react';
import type { ReactNode } from 'react';
import { texts, useText } from '../text/texts.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './json-view.module.css';

const jsonTexts = texts(
  {
    copy: (title: string) => `Copy: ${title}`,
    characters: (count: number) => `Show all ${count} characters`,
    more: (count: number) => `Show ${count} more`,
    members: (count: number) => (count === 1 ? '1 member' : `${count} members`),
    items: (count: number) => (count === 1 ? '1 item' : `${count} items`),
  },
  {
    copy: (title: string) => `Kopieren: ${title}`,
    characters: (count: number) => `Alle ${count} Zeichen zeigen`,
    more: (count: number) => `${count} weitere zeigen`,
    members: (count: number) => (count === 1 ? '1 Feld' : `${count} Felder`),
    items: (count: number) => (count === 1 ? '1 Eintrag' : `${count} Einträge`),
  },
);

/** Longer texts are cut until they are asked for. */
const LONG = 400;
/** More members are shown only when they are asked for. */
const MANY = 50;
/** Deeper levels are closed at first. */
const OPEN_DEPTH = 2;

export interface JsonViewProps {
  readonly title: string;
  readonly value: unknown;
}

/** A JSON value that can be opened part by part; whatever it contains stays text. */
export function JsonView({ title, value }: JsonViewProps): ReactNode {
  const text = useText(jsonTexts);
  return (
    <section className={styles.view} aria-label={title}>
      <div className={styles.head}>
        <span>{title}</span>
        <CopyButton value={JSON.stringify(value, null, 2)} label={text.copy(title)} size="compact-xs" />
      </div>
      <div className={styles.body} dir="ltr">
        <Value value={value} depth={0} />
      </div>
    </section>
  );
}

interface ValueProps {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
}

function Value({ name, value, depth }: ValueProps): ReactNode {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return <Members name={name} value={value} depth={depth} />;
  return (
    <div className={styles.line}>
      <Name name={name} />
      {typeof value === 'string' ? <LongText value={value} /> : <Plain value={value} />}
    </div>
  );
}

const Name = ({ name }: { readonly name: string | undefined }): ReactNode =>
  name !== undefined && <span className={styles.name}>{name}: </span>;

const Plain = ({ value }: { readonly value: unknown }): ReactNode => (
  <span className={styles.plain}>{JSON.stringify(value) ?? 'null'}</span>
);

function LongText({ value }: { readonly value: string }): ReactNode {
  const text = useText(jsonTexts);
  const [all, setAll] = useState(value.length <= LONG);
  return (
    <span className={styles.text}>
      {/* Quoted, so that control characters are seen. */}
      <bdi>{JSON.stringify(all ? value : value.slice(0, LONG))}</bdi>
      {!all && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {text.characters(value.length)}
        </button>
      )}
    </span>
  );
}

function Members({ name, value, depth }: ValueProps & { readonly value: object }): ReactNode {
  const text = useText(jsonTexts);
  const [shown, setShown] = useState(MANY);
  const members = Object.entries(value);
  const count = Array.isArray(value) ? text.items(members.length) : text.members(members.length);
  const list = (
    <div className={styles.members}>
      {members.slice(0, shown).map(([key, member]) => (
        <Value key={key} name={key} value={member} depth={depth + 1} />
      ))}
      {members.length > shown && (
        <button type="button" className={styles.more} onClick={() => setShown(shown + 10 * MANY)}>
          {text.more(Math.min(10 * MANY, members.length - shown))}
        </button>
      )}
    </div>
  );
  if (name === undefined) return list;
  return (
    <details className={styles.nested} open={depth < OPEN_DEPTH && members.length <= MANY}>
      <summary>
        <span className={styles.name}>{name}</span> <span className={styles.count}>{count}</span>
      </summary>
      {list}
    </details>
  );
}
