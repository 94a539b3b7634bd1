import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { sql, statement } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { recordAudit } from '../audit.ts';
import type { Actor } from '../audit.ts';
import { lockComments } from './site-comments.ts';

/** What happens to a comment that comes in: approved, held where it has links, held always. */
export const moderations = ['none', 'hold_links', 'hold_all'] as const;

const settingsRow = z.object({
  enabled: z.boolean(),
  moderation: z.enum(moderations),
  require_email: z.boolean(),
  close_after_days: z.number().nullable(),
});

export type CommentSettings = z.infer<typeof settingsRow>;

/** Of a Site that has set nothing (decisions 8). */
const defaults: CommentSettings = {
  enabled: false,
  moderation: 'hold_links',
  require_email: false,
  close_after_days: null,
};

export async function readSettings(db: Queryable, siteId: string): Promise<CommentSettings> {
  const row = await db.maybeOne(sql.type(settingsRow)`
    select enabled, moderation, require_email, close_after_days from site_comments where site_id = ${siteId}`);
  return row ?? defaults;
}

/** Changes what is sent; without an effective change nothing is written. */
export async function updateSettings(
  tx: Transaction,
  site: Site,
  actor: Actor,
  sent: { readonly [Name in keyof CommentSettings]?: CommentSettings[Name] | undefined },
  now: Date,
): Promise<CommentSettings> {
  await tx.exec(statement`insert into site_comments (site_id) values (${site.id}) on conflict do nothing`);
  await lockComments(tx, site.id);
  const current = await readSettings(tx, site.id);
  const changes = Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) => value !== undefined && value !== current[name as keyof CommentSettings],
    ),
  ) as Partial<CommentSettings>;
  if (Object.keys(changes).length === 0) return current;
  const next = { ...current, ...changes };
  await tx.exec(statement`
    update site_comments set enabled = ${next.enabled}, moderation = ${next.moderation},
      require_email = ${next.require_email}, close_after_days = ${next.close_after_days},
      settings_version = settings_version + 1
    where site_id = ${site.id}`);
  const entry = { actor, action: 'comments.settings', target: { type: 'site', id: site.id } };
  const place = { siteId: site.id, organisationId: site.organisationId };
  await recordAudit(tx, { ...entry, ...place, details: changes }, now);
  return next;
}

const DAY_MS = 24 * 60 * 60_000;

/** Whether an article published then takes no more comments now. */
export const isClosed = (
  { close_after_days: days }: Pick<CommentSettings, 'close_after_days'>,
  publishedAt: Date,
  now: Date,
): boolean => days !== null && now.getTime() >= publishedAt.getTime() + days * DAY_MS;
