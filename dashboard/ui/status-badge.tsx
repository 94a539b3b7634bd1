import type { ReactNode } from 'react';
import type { ArticleStatus } from '../content/statuses.ts';
import { texts, useText } from '../text/texts.ts';
import styles from './status-badge.module.css';

export const statusTexts = texts(
  {
    draft: 'Draft',
    scheduled: 'Scheduled',
    published: 'Published',
    discovered: 'Discovered',
    scored: 'Scored',
    skipped: 'Skipped',
    scraped: 'Scraped',
    generated: 'Generated',
    needs_improvement: 'Needs improvement',
    needs_images: 'Needs images',
    queued: 'Queued',
    rejected: 'Rejected',
    failed: 'Failed',
  } satisfies Record<ArticleStatus, string>,
  {
    draft: 'Entwurf',
    scheduled: 'Geplant',
    published: 'Veröffentlicht',
    discovered: 'Gefunden',
    scored: 'Bewertet',
    skipped: 'Übersprungen',
    scraped: 'Eingelesen',
    generated: 'Geschrieben',
    needs_improvement: 'Zu verbessern',
    needs_images: 'Bilder fehlen',
    queued: 'In der Warteschlange',
    rejected: 'Abgelehnt',
    failed: 'Fehlgeschlagen',
  },
);

export type Tone = 'quiet' | 'busy' | 'good' | 'warn' | 'bad';

const tones: Record<ArticleStatus, Tone> = {
  draft: 'quiet',
  scheduled: 'busy',
  published: 'good',
  discovered: 'quiet',
  scored: 'busy',
  skipped: 'quiet',
  scraped: 'busy',
  generated: 'busy',
  needs_improvement: 'warn',
  needs_images: 'warn',
  queued: 'busy',
  rejected: 'bad',
  failed: 'bad',
};

const isKnown = (status: string): status is ArticleStatus => Object.hasOwn(tones, status);

/** The status of an article. A later version of the API may answer one that has no text here. */
export function StatusBadge({ status }: { readonly status: string }): ReactNode {
  const text = useText(statusTexts);
  return isKnown(status) ? (
    <Sign tone={tones[status]}>{text[status]}</Sign>
  ) : (
    <Sign tone="quiet">{status}</Sign>
  );
}

/** Any other status: a sign of its own for each tone beside the word, so that colour is never the only sign. */
export function Sign({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span className={styles.sign} data-tone={tone}>
      {children}
    </span>
  );
}
