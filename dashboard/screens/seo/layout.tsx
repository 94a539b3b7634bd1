import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Page } from '../../ui/page.tsx';
import styles from './seo.module.css';
import { screenTexts } from './text.ts';

export interface LayoutProps {
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The three parts of SEO, one of which is shown. */
export function Layout({ actions, children }: LayoutProps): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(screenTexts);
  const params = { siteId };
  return (
    <Page title={text.title} about={text.about} actions={actions}>
      <nav className={styles.parts} aria-label={text.parts}>
        <Link to="/$siteId/seo" params={params} activeOptions={{ exact: true, includeSearch: false }}>
          {text.findings}
        </Link>
        <Link to="/$siteId/seo/scans" params={params}>
          {text.scans}
        </Link>
        <Link to="/$siteId/seo/backlinks" params={params}>
          {text.backlinks}
        </Link>
      </nav>
      {children}
    </Page>
  );
}
