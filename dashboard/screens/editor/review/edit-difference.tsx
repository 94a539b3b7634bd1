import type { ReactNode } from 'react';
import { useTermsById } from '../../../content/terms.ts';
import type { TermKind } from '../../../content/terms.ts';
import { useText } from '../../../text/texts.ts';
import { fieldTexts } from '../field-text.ts';
import { Difference } from '../history/difference.tsx';
import { shownValue } from '../history/shown-value.ts';
import { changedFields } from '../saving/fields.ts';
import type { FieldName, Fields } from '../saving/fields.ts';
import { reviewTexts } from './text.ts';
import styles from './review.module.css';

interface EditDifferenceProps {
  /** What is public. */
  readonly live: Fields;
  readonly edit: Fields;
}

/** What publishing a pending edit changes for readers, field by field. */
export function EditDifference({ live, edit }: EditDifferenceProps): ReactNode {
  const text = useText(reviewTexts);
  const names = useText(fieldTexts);
  const changed = Object.keys(changedFields(live, edit)) as FieldName[];
  return (
    <section className={styles.difference} aria-label={text.difference}>
      <h3>{text.difference}</h3>
      {changed.length === 0 && <p className={styles.about}>{text.noDifference}</p>}
      {changed.map((field) => (
        <div key={field}>
          <p className={styles.about}>{names[field]}</p>
          <FieldDifference field={field} label={names[field]} live={live} edit={edit} />
        </div>
      ))}
    </section>
  );
}

/** Fields that hold ids of terms. */
const terms: Partial<Record<FieldName, TermKind>> = {
  category_id: 'categories',
  author_id: 'authors',
  tag_ids: 'tags',
};

interface FieldProps extends EditDifferenceProps {
  readonly field: FieldName;
  readonly label: string;
}

function FieldDifference({ field, label, live, edit }: FieldProps): ReactNode {
  const kind = terms[field];
  if (kind !== undefined)
    return <TermDifference kind={kind} before={idsOf(live[field])} after={idsOf(edit[field])} />;
  return (
    <Difference label={label} before={shownValue(live[field])} after={shownValue(edit[field])} collapses />
  );
}

const idsOf = (value: unknown): readonly string[] =>
  [value].flat().filter((id): id is string => typeof id === 'string');

interface TermDifferenceProps {
  readonly kind: TermKind;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function TermDifference({ kind, before, after }: TermDifferenceProps): ReactNode {
  const named = useTermsById(kind, [...new Set([...before, ...after])]);
  const gone = named.filter(({ id }) => !after.includes(id));
  const added = named.filter(({ id }) => !before.includes(id));
  return (
    <ul className={styles.terms}>
      {gone.map(({ id, name }) => (
        <li key={id} dir="auto">
          <del>{name}</del>
        </li>
      ))}
      {added.map(({ id, name }) => (
        <li key={id} dir="auto">
          <ins>{name}</ins>
        </li>
      ))}
    </ul>
  );
}
