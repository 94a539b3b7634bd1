import type { ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { fieldTexts } from '../field-text.ts';
import { useField } from '../fields.ts';
import styles from './panels.module.css';

/** The pages that the text cites, by their numbers. */
export function Sources(): ReactNode {
  const names = useText(fieldTexts);
  const { value } = useField('sources');
  if (value === null || value.length === 0) return null;
  return (
    <section className={styles.sources} aria-label={names.sources}>
      <h3>{names.sources}</h3>
      <ol>
        {value.map(({ n, url, title, published_at: published }) => (
          <li key={n} value={n}>
            <a href={url} target="_blank" rel="noopener noreferrer nofollow" dir="auto">
              {title ?? url}
            </a>
            {published !== null && (
              <>
                , <time dateTime={published}>{published.slice(0, 10)}</time>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
