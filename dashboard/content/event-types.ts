/** The events of endpoints, in groups. */
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
