import { useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { Loading } from '../../ui/notes.tsx';
import { changedFields } from '../editor/saving/fields.ts';
import type { Fields } from '../editor/saving/fields.ts';
import type { ArticleChange } from './article-change.ts';
import { Changes } from './changes.tsx';
import { screenTexts } from './text.ts';
import styles from './text-change.module.css';

const Difference = onDemand(
  async () => (await import('../editor/history/difference.tsx')).Difference,
  Loading,
);
const ArticlePreview = onDemand(
  async () => (await import('../editor/panels/article-preview.tsx')).ArticlePreview,
  Loading,
);

/** What readers see of an article, and what they would see. */
export function TextChange({ now, after }: ArticleChange): ReactNode {
  const { detail: text } = useText(screenTexts);
  if (now === null || after === null) {
    const fields = after ?? now;
    if (fields === null) return null;
    return <Rendered label={after === null ? text.whatGoes : text.newText} fields={fields} isOpen />;
  }
  const { content, ...others } = changedFields(now, after);
  if (content === undefined && Object.keys(others).length === 0) return <p>{text.unchanged}</p>;
  return (
    <>
      {Object.keys(others).length > 0 && <Changes present={{ ...now }} body={others} />}
      {content !== undefined && (
        <>
          <p className={styles.heading}>{text.ofText}</p>
          <Difference label={text.ofText} before={now.content ?? ''} after={after.content ?? ''} collapses />
        </>
      )}
      <Rendered label={text.rendered} fields={after} />
      <Rendered label={text.renderedNow} fields={now} />
    </>
  );
}

interface RenderedProps {
  readonly label: string;
  readonly fields: Fields;
  /** At first. */
  readonly isOpen?: boolean;
}

/** An article as readers see it; it is made when it is opened. */
function Rendered({ label, fields, isOpen = false }: RenderedProps): ReactNode {
  const [isShown, setShown] = useState(isOpen);
  return (
    <details
      className={styles.rendered}
      open={isOpen}
      onToggle={({ currentTarget }) => setShown(currentTarget.open)}
    >
      <summary>{label}</summary>
      {isShown && <ArticlePreview fields={fields} className={styles.frame} />}
    </details>
  );
}
