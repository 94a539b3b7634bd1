import type { ReactNode } from 'react';
import type { ArticleStatus } from './statuses.ts';
import { texts, useText } from '../text/texts.ts';
import { Sign } from '../ui/sign.tsx';
import type { Tone } from '../ui/sign.tsx';

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
