import { texts } from '../text/texts.ts';

/** What an endpoint can be told about, in groups. */
export const eventGroups = [
  {
    group: 'articles',
    types: ['article.published', 'article.updated', 'article.unpublished', 'article.deleted'],
  },
  { group: 'comments', types: ['comment.created'] },
  { group: 'pipeline', types: ['pipeline_run.finished', 'seo_scan.finished'] },
] as const;

export type EventType = (typeof eventGroups)[number]['types'][number];

export const eventTypes: readonly EventType[] = eventGroups.flatMap(({ types }) => types);

/** Also what is sent to one endpoint as a test. */
export const deliveredTypes = [...eventTypes, 'ping'] as const;

export const eventTypeTexts = texts(
  {
    groups: { articles: 'Articles', comments: 'Comments', pipeline: 'Pipeline and scans' },
    about: {
      'article.published': 'An article has become public, by hand or at its time.',
      'article.updated': 'A published article has been changed.',
      'article.unpublished': 'A published article has been withdrawn.',
      'article.deleted': 'An article has been deleted.',
      'comment.created': 'A reader has written a comment.',
      'pipeline_run.finished': 'A run of the pipeline has ended, well or not.',
      'seo_scan.finished': 'A scan has ended, well or not.',
    } satisfies Record<EventType, string>,
  },
  {
    groups: { articles: 'Artikel', comments: 'Kommentare', pipeline: 'Pipeline und Prüfungen' },
    about: {
      'article.published': 'Ein Artikel wurde veröffentlicht, von Hand oder zu seiner Zeit.',
      'article.updated': 'Ein veröffentlichter Artikel wurde geändert.',
      'article.unpublished': 'Ein veröffentlichter Artikel wurde zurückgezogen.',
      'article.deleted': 'Ein Artikel wurde gelöscht.',
      'comment.created': 'Eine Leserin oder ein Leser hat einen Kommentar geschrieben.',
      'pipeline_run.finished': 'Ein Durchlauf der Pipeline ist beendet, ob gut oder schlecht.',
      'seo_scan.finished': 'Eine Prüfung ist beendet, ob gut oder schlecht.',
    },
  },
);
