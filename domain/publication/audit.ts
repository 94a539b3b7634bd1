import type { Effects } from '../../db/effects.ts';
import type { AuditAction } from '../audit/actions.ts';
import { differences, values } from '../audit/details.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { writtenMembers } from '../articles/row.ts';
import type { Article } from '../articles/row.ts';

const standing = ['status', 'published_at', 'content_updated_at', 'scheduled_publish_at'] as const;

const target = ({ id }: Article): { type: string; id: string } => ({ type: 'article', id });

/** Records that an article was created. */
export const auditCreation = (change: Change<Effects>, article: Article): void =>
  recordChange(change, 'article.create', target(article), values(article, writtenMembers));

/** Records how an article was changed. */
export const auditArticle = (
  change: Change<Effects>,
  action: AuditAction,
  before: Article,
  after: Article,
): void =>
  recordChange(change, action, target(after), differences(before, after, [...writtenMembers, ...standing]));

/** Records that an article was deleted, with the number of its comments. */
export const auditDeletion = (change: Change, article: Article, comments: number): void =>
  recordChange(change, 'article.delete', target(article), {
    ...values(article, ['title', 'slug', 'status']),
    comments,
  });
