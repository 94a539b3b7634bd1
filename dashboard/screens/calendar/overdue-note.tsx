import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { SiteTime } from '../../ui/times.tsx';
import styles from './calendar.module.css';
import { screenTexts } from './text.ts';

interface Overdue {
  readonly articleId: string;
  readonly title: string | null;
  readonly time: string;
}

const SHOWN = 5;

/** What should have been published already, whatever days are shown. */
export function OverdueNote({ overdue }: { readonly overdue: readonly Overdue[] }): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  if (overdue.length === 0) return null;
  return (
    <div className={styles.overdue} role="status">
      <p>
        <strong>{text.overdueAbout(overdue.length)}</strong> {text.overdueHint}
      </p>
      <ul>
        {overdue.slice(0, SHOWN).map(({ articleId, title, time }) => (
          <li key={articleId}>
            <Link to="/$siteId/articles/$articleId" params={{ siteId, articleId }} dir="auto">
              {title ?? text.untitled}
            </Link>{' '}
            <SiteTime time={time} />
          </li>
        ))}
      </ul>
    </div>
  );
}
