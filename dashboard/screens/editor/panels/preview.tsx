import type { ReactNode } from 'react';
import { useDebouncedValue } from '../../../ui/controls.ts';
import { useSaving } from '../article/use-article.ts';
import { ArticlePreview } from './article-preview.tsx';
import styles from './panels.module.css';

const PAUSE_MS = 350;

/** How readers will see the text that is being written. */
export function Preview(): ReactNode {
  const [fields] = useDebouncedValue(
    useSaving(({ mine }) => mine),
    PAUSE_MS,
    { leading: true },
  );
  return <ArticlePreview fields={fields} className={styles.preview} />;
}
