import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql, statement } from '../../db/sql.ts';
import { differences } from '../audit/details.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { lockComments } from './site-comments.ts';

/** The fate of a new comment: approved, held if it contains links, or always held. */
export const moderations = ['none', 'hold_links', 'hold_all'] as const;

const settingsRow = z.object({
  enabled: z.boolean(),
  moderation: z.enum(moderations),
  require_email: z.boolean(),
  close_after_days: z.number().nullable(),
});

export type CommentSettings = z.infer<typeof settingsRow>;

/** The settings of a Site that has changed none (docs/spec/rulings.md, 8). */
const defaults: CommentSettings = {
  enabled: false,
  moderation: 'hold_links',
  require_email: false,
  close_after_days: null,
};

export async function readCommentSettings(db: Queryable, siteId: string): Promise<CommentSettings> {
  const row = await db.maybeOne(sql.type(settingsRow)`
    select enabled, moderation, require_email, close_after_days from site_comments where site_id = ${siteId}`);
  return row ?? defaults;
}

/** Updates the given settings. Without an effective change nothing is written. */
export async function updateSettings(
  change: Change,
  sent: { readonly [Name in keyof CommentSettings]?: CommentSettings[Name] | undefined },
): Promise<CommentSettings> {
  const { tx, site } = change;
  await tx.exec(statement`insert into site_comments (site_id) values (${site.id}) on conflict do nothing`);
  await lockComments(tx, site.id);
  const current = await readCommentSettings(tx, site.id);
  const next: CommentSettings = {
    enabled: sent.enabled ?? current.enabled,
    moderation: sent.moderation ?? current.moderation,
    require_email: sent.require_email ?? current.require_email,
    close_after_days: sent.close_after_days === undefined ? current.close_after_days : sent.close_after_days,
  };
  const details = differences(current, next, ['enabled', 'moderation', 'require_email', 'close_after_days']);
  if (Object.keys(details).length === 0) return current;
  await tx.exec(statement`
    update site_comments set enabled = ${next.enabled}, moderation = ${next.moderation},
      require_email = ${next.require_email}, close_after_days = ${next.close_after_days},
      settings_version = settings_version + 1
    where site_id = ${site.id}`);
  recordChange(change, 'comments.settings', { type: 'site', id: site.id }, details);
  return next;
}

const DAY_MS = 24 * 60 * 60_000;

/** Whether an article published at that time is closed for comments. */
export const isClosed = (
  { close_after_days: days }: Pick<CommentSettings, 'close_after_days'>,
  publishedAt: Date,
  now: Date,
): boolean => days !== null && now.getTime() >= publishedAt.getTime() + days * DAY_MS;
