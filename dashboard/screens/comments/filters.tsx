import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { CommentPage } from '../../../sdk/src/index.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { screenTexts } from './text.ts';
import styles from './filters.module.css';

const filters = ['pending', 'approved', 'spam', 'all'] as const;

export interface FiltersProps {
  readonly slug: string | undefined;
  /** Of the whole Site. */
  readonly counts: CommentPage['counts'] | undefined;
}

/** Links to the comments of each status. The counts are of the Site, so they are not shown for one article. */
export function Filters({ slug, counts }: FiltersProps): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(screenTexts).filters;
  const format = useFormat();
  return (
    <nav aria-label={text.label} className={styles.filters}>
      {filters.map((name) => (
        <Link
          key={name}
          to="/$siteId/comments"
          params={{ siteId }}
          search={{ ...(name !== 'pending' && { status: name }), ...(slug && { slug }) }}
          activeOptions={{ exact: true }}
          className={styles.filter}
        >
          {text[name]}
          {name !== 'all' && slug === undefined && counts !== undefined && (
            <span className={styles.count}>{format.number(counts[name])}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
