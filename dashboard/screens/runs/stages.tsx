import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { stages } from '../../content/costs.ts';
import type { Stage } from '../../content/costs.ts';
import styles from './run.module.css';
import { runTexts } from './text.ts';

/** How far an article is, as five marks and in words. */
export function Stages({ done }: { readonly done: string | null }): ReactNode {
  const text = useText(runTexts);
  const count = stages.indexOf(done as Stage) + 1;
  const stage = stages[count - 1];
  return (
    <span className={styles.stages}>
      <span className={styles.marks} aria-hidden="true">
        {stages.map((each, index) => (
          <span key={each} data-done={index < count || undefined} title={text.stage[each]} />
        ))}
      </span>
      {stage === undefined ? text.stageNone : text.stageDone(text.stage[stage], count)}
    </span>
  );
}
