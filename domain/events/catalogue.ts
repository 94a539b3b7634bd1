/** What the `data` of an event can be; the shapes are in `api/resources/webhooks/event-bodies.ts`. */
export const eventData = {
  ApiKey: 'the key, without its secret',
  Approval: 'the approval',
  Article: 'the article, as `GET` returns it',
  Author: 'the author',
  BulkJob: 'the job',
  Category: 'the category',
  Comment: 'the comment, without e-mail and IP',
  Id: '`id`',
  MediaAsset: 'the asset',
  ModeratedComment: 'the comment, without e-mail and IP',
  Nothing: 'empty',
  PendingEdit: 'the pending edit, and `article_id`',
  PipelineRun: 'the run',
  Push: 'the push',
  Review: 'the review',
  SeoScan: 'the scan',
  Site: 'the settings of the Site',
  Tag: 'the tag',
} as const;

export type EventData = keyof typeof eventData;

interface Declared {
  readonly data: EventData;
  readonly summary: string;
  /** Recorded whether or not an endpoint subscribes to it. */
  readonly always?: true;
}

/**
 * Every event that can be subscribed to, declared once (docs/spec/rulings.md, 7 and 24): the OpenAPI document, the guide,
 * the SDK's types and the dashboard's choice follow from it.
 */
export const catalogue = {
  'article.created': { data: 'Article', summary: 'An article was created' },
  'article.scheduled': { data: 'Article', summary: 'An article was scheduled, or its time was moved' },
  'article.schedule_cancelled': { data: 'Article', summary: 'The schedule of an article was cancelled' },
  'article.published': { data: 'Article', summary: 'An article was published', always: true },
  'article.updated': { data: 'Article', summary: 'A published article was edited', always: true },
  'article.unpublished': { data: 'Article', summary: 'An article was unpublished', always: true },
  'article.deleted': { data: 'Id', summary: 'An article was deleted', always: true },
  'pending_edit.created': { data: 'PendingEdit', summary: 'An edit of a published article was begun' },
  'pending_edit.published': { data: 'Article', summary: 'The pending edit of an article was published' },
  'review.requested': { data: 'Review', summary: 'A review of a text was asked for' },
  'review.decided': { data: 'Review', summary: 'People approved a text, or asked for changes' },
  'comment.created': { data: 'Comment', summary: 'A reader submitted a comment', always: true },
  'comment.approved': { data: 'ModeratedComment', summary: 'A moderator approved a comment' },
  'comment.removed': {
    data: 'ModeratedComment',
    summary: 'An approved comment was held, marked as spam or deleted',
  },
  'category.created': { data: 'Category', summary: 'A category was created' },
  'category.updated': { data: 'Category', summary: 'A category was edited' },
  'category.deleted': { data: 'Id', summary: 'A category was deleted' },
  'tag.created': { data: 'Tag', summary: 'A tag was created' },
  'tag.updated': { data: 'Tag', summary: 'A tag was edited' },
  'tag.deleted': { data: 'Id', summary: 'A tag was deleted' },
  'author.created': { data: 'Author', summary: 'An author was created' },
  'author.updated': { data: 'Author', summary: 'An author was edited' },
  'author.deleted': { data: 'Id', summary: 'An author was deleted' },
  'media.created': { data: 'MediaAsset', summary: 'An image was added to the library' },
  'media.updated': { data: 'MediaAsset', summary: 'The alternative text of an image was edited' },
  'media.deleted': { data: 'Id', summary: 'An image was deleted' },
  'pipeline_run.finished': {
    data: 'PipelineRun',
    summary: 'A run of the pipeline ended, in whatever way',
    always: true,
  },
  'seo_scan.finished': { data: 'SeoScan', summary: 'A scan ended, in whatever way', always: true },
  'bulk_job.finished': { data: 'BulkJob', summary: 'A bulk job ended, in whatever way' },
  'push.finished': { data: 'Push', summary: 'A push to a connected system ended, in whatever way' },
  'approval.requested': { data: 'Approval', summary: 'An agent asked for an approval' },
  'approval.decided': { data: 'Approval', summary: 'A person approved or denied an agent’s request' },
  'key.created': { data: 'ApiKey', summary: 'A key was created' },
  'key.revoked': { data: 'ApiKey', summary: 'A key was revoked' },
  'site.updated': { data: 'Site', summary: 'The settings of the Site were changed' },
} as const satisfies Readonly<Record<string, Declared>>;

export type EventName = keyof typeof catalogue;

/** An event that is recorded whether or not an endpoint subscribes to it. */
export type RecordedEvent = {
  [Name in EventName]: (typeof catalogue)[Name] extends { readonly always: true } ? Name : never;
}[EventName];

/** An event that is recorded only while an enabled endpoint of the Site subscribes to it. */
export type OfferedEvent = Exclude<EventName, RecordedEvent>;

export const eventNames = Object.keys(catalogue) as readonly EventName[];

/** `article.*` of `article.published`. */
type PatternOf<Name extends string> = Name extends `${infer Noun}.${string}` ? `${Noun}.*` : never;
type EventPattern = '*' | PatternOf<EventName>;

const nounPattern = (event: EventName): EventPattern => `${event.split('.', 1)[0]}.*` as EventPattern;

/** What an endpoint can name in place of events; those of later versions are included. */
export const eventPatterns: readonly EventPattern[] = ['*', ...new Set(eventNames.map(nounPattern))];

/** The names by which an endpoint subscribes to an event. */
export const namesFor = (event: EventName): readonly string[] => [event, nounPattern(event), '*'];

/** The events of an endpoint's names and patterns. */
export const eventsOf = (subscribed: readonly string[]): readonly EventName[] =>
  eventNames.filter((event) => namesFor(event).some((name) => subscribed.includes(name)));

/** Sent to one endpoint on request; it cannot be subscribed to, and no list of events shows it. */
export const PING = 'ping';

/** What an endpoint can be sent. */
export const delivered: Readonly<Record<EventName | typeof PING, Declared>> = {
  ...catalogue,
  [PING]: {
    data: 'Nothing',
    summary: 'A test of the endpoint was asked for; it cannot be subscribed to',
  },
};
