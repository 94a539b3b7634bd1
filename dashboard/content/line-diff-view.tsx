import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { texts, useText } from '../text/texts.ts';
import { diffLines, withContext } from './line-diff.ts';
import styles from './line-diff-view.module.css';

const diffTexts = texts(
  {
    same: 'The two are the same.',
    hidden: (count: number) =>
      count === 1 ? 'One line that is the same' : `${count} lines that are the same`,
    gone: 'Removed: ',
    new: 'Added: ',
  },
  {
    same: 'Beide sind gleich.',
    hidden: (count: number) => (count === 1 ? 'Eine gleiche Zeile' : `${count} gleiche Zeilen`),
    gone: 'Entfernt: ',
    new: 'Hinzugefügt: ',
  },
);

export interface LineDiffProps {
  /** The name of the comparison, for screen readers. */
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** The lines that differ between two texts. */
export function LineDiff({ label, before, after }: LineDiffProps): ReactNode {
  const text = useText(diffTexts);
  const parts = useMemo(() => withContext(diffLines(before, after)), [before, after]);
  if (before === after) return <p>{text.same}</p>;
  return (
    // Scrolls by the keyboard, too.
    <div className={styles.diff} role="group" aria-label={label} tabIndex={0}>
      {parts.map((part, index) =>
        part.kind === 'hidden' ? (
          <p key={index} className={styles.hidden}>
            {text.hidden(part.count)}
          </p>
        ) : (
          <p key={index} data-kind={part.kind} dir="auto">
            {part.kind !== 'same' && <span className={styles.unseen}>{text[part.kind]}</span>}
            {part.text === '' ? '\u00a0' : part.text}
          </p>
        ),
      )}
    </div>
  );
}
