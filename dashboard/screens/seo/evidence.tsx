import type { ReactNode } from 'react';
import type { Finding } from '../../../sdk/src/index.ts';
import { useText } from '../../text/texts.ts';
import { JsonView } from '../../ui/json-view.tsx';
import styles from './seo.module.css';
import { screenTexts } from './text.ts';

/** The evidence of a scan. */
export function Evidence({ finding: { kind, evidence } }: { readonly finding: Finding }): ReactNode {
  const text = useText(screenTexts);
  const kinds: Readonly<Record<string, string>> = text.kinds;
  return (
    <div className={styles.evidence}>
      <p className={styles.soft}>
        {text.kind}: {kinds[kind] ?? kind}
      </p>
      <JsonView title={text.details} value={evidence} />
    </div>
  );
}
