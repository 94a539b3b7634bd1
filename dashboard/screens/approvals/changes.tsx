import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { screenTexts } from './text.ts';
import { FieldValue, useFieldName } from './value.tsx';
import styles from './changes.module.css';

export interface ChangesProps {
  /** The target as it is now. */
  readonly present: Readonly<Record<string, unknown>>;
  /** The body of the agent's request. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The changes of the body on its target: each field that differs, now and afterwards. */
export function Changes({ present, body }: ChangesProps): ReactNode {
  const { detail: text } = useText(screenTexts);
  const nameOf = useFieldName();
  const different = Object.entries(body).filter(([name, value]) => !isSame(value, present[name]));
  if (different.length === 0) return <p>{text.unchanged}</p>;
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <td />
          <th scope="col">{text.present}</th>
          <th scope="col">{text.after}</th>
        </tr>
      </thead>
      <tbody>
        {different.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{nameOf(name)}</th>
            <td>
              <del>
                <FieldValue name={name} value={present[name]} />
              </del>
            </td>
            <td>
              <ins>
                <FieldValue name={name} value={value} />
              </ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
