/** The event catalog (docs/spec/service-api.md, Events; docs/spec/rulings.md, 7). */
export const eventNames = [
  'article.published',
  'article.updated',
  'article.unpublished',
  'article.deleted',
  'comment.created',
  'pipeline_run.finished',
  'seo_scan.finished',
] as const;

export type EventName = (typeof eventNames)[number];

/** Sent to one endpoint on request; it cannot be subscribed to, and no list of events shows it. */
export const PING = 'ping';
