import { texts } from '../text/texts.ts';
import type { EventType } from './event-types.ts';

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
