import { z } from 'zod';
import { at, columnsOf, sql, statement, timestamp } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { aiDisclosures } from '../kernel/origins.ts';
import type { Site } from '../kernel/site.ts';
import { makerOf, mayGoOn } from '../access/standing.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { deleteBatch } from '../kernel/batch.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { byId, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { generatePreviewToken, hashPreviewToken } from './token.ts';

/** Lifetimes of a link, in seconds (docs/spec/rulings.md, 15). */
export const SHORTEST_S = 60;
export const LONGEST_S = 2_592_000;
export const DEFAULT_S = 604_800;

/** Maximum number of valid links of a Site, and of an article (docs/spec/rulings.md, 27). */
const LINK_LIMIT = 10_000;
const ARTICLE_LINK_LIMIT = 200;

const DELETE_ONE = 'Delete one that is no longer needed: DELETE /articles/{id}/preview-links/{link_id}.';

const linkRow = z.object({ id: z.string(), created_at: timestamp, expires_at: timestamp });
const targetRow = z.object({
  site_id: z.string(),
  organisation_id: z.string(),
  article_id: z.string(),
  site_name: z.string(),
  locale: z.string(),
  ai_disclosure: z.enum(aiDisclosures),
});
const siteRow = z.object({ preview_url: z.string().nullable() });

/** A link to the preview of an article. Its token is not stored. */
export type PreviewLink = z.infer<typeof linkRow>;

/** The Site and the article that a token shows. */
export type PreviewTarget = z.infer<typeof targetRow>;

const columns = columnsOf(linkRow, 'l');

/** An expired link is gone, although its row stays until housekeeping deletes it. */
const lasts = (now: Date) => sql.fragment`l.expires_at > ${at(now)}`;

/** So is one whose maker may not go on. */
const valid = (now: Date) =>
  sql.fragment`${lasts(now)} and ${mayGoOn(sql.fragment`l.key_id`, 'articles.write', now)}`;

/**
 * Creates a link to the preview of an article, which the transaction has locked.
 *
 * @param expiresIn seconds
 * @returns the token, which can be read at this moment only
 * @throws ServiceError CONFLICT if the Site or the article has reached its limit
 */
export async function createPreviewLink(
  change: Change,
  articleId: string,
  expiresIn: number,
): Promise<{ readonly link: PreviewLink; readonly token: string }> {
  const { tx, site, now } = change;
  await requireRoom(tx, site.id, {
    limit: LINK_LIMIT,
    existing: sql.fragment`select from preview_links l where l.site_id = ${site.id} and ${lasts(now)}`,
    message: `This Site has ${LINK_LIMIT} preview links, which is the limit. ${DELETE_ONE}`,
  });
  await requireRoom(tx, site.id, {
    limit: ARTICLE_LINK_LIMIT,
    existing: sql.fragment`select from preview_links l where l.article_id = ${articleId} and ${lasts(now)}`,
    message: `This article has ${ARTICLE_LINK_LIMIT} preview links, which is the limit. ${DELETE_ONE}`,
  });
  const token = generatePreviewToken();
  const link = { id: newId(), created_at: now, expires_at: new Date(now.getTime() + expiresIn * 1_000) };
  await tx.exec(statement`
    insert into preview_links (id, site_id, article_id, token_hash, created_at, expires_at, key_id)
    values (${link.id}, ${site.id}, ${articleId}, ${sql.binary(hashPreviewToken(token))}, ${at(now)},
      ${at(link.expires_at)}, ${makerOf(change.actor)})`);
  record(change, 'preview_link.create', articleId, link);
  return { link, token };
}

/** A page of the valid links of an article, newest first. */
export const listPreviewLinks = (
  db: Queryable,
  site: Site,
  articleId: string,
  request: PageRequest,
  now: Date,
): Promise<Page<PreviewLink>> =>
  readPage(site, `preview links ${articleId}`, request, byId('l', 'desc'), ({ after, order }, count) =>
    db.any(sql.type(linkRow)`
      select ${columns} from preview_links l
      where l.article_id = ${articleId} and ${valid(now)} and ${after} order by ${order} limit ${count}`),
  );

/** @throws ServiceError NOT_FOUND, also for a link that has expired or belongs to another article */
export async function lockPreviewLink(
  tx: Transaction,
  articleId: string,
  id: string,
  now: Date,
): Promise<PreviewLink> {
  const link = await tx.maybeOne(sql.type(linkRow)`
    select ${columns} from preview_links l
    where l.id = ${id} and l.article_id = ${articleId} and ${valid(now)} for update`);
  if (link === null) throw notFound('preview link');
  return link;
}

/** @throws ServiceError NOT_FOUND */
export async function deletePreviewLink(change: Change, articleId: string, id: string): Promise<void> {
  const link = await lockPreviewLink(change.tx, articleId, id, change.now);
  change.tx.atCommit(statement`delete from preview_links where id = ${id}`);
  record(change, 'preview_link.delete', articleId, link);
}

/** The article of a token; null if it is unknown, revoked or expired. */
export const findPreviewTarget = (db: Queryable, token: string, now: Date): Promise<PreviewTarget | null> =>
  db.maybeOne(sql.type(targetRow)`
    select l.site_id, s.organisation_id, l.article_id, s.name as site_name, s.locale,
      s.ai_disclosure
    from preview_links l join sites s on s.id = l.site_id
    where l.token_hash = ${sql.binary(hashPreviewToken(token))} and ${valid(now)} and s.deleting_since is null`);

/** The template for the addresses of a Site's links; null if the service shows them. */
export async function previewUrlOf(db: Queryable, siteId: string): Promise<string | null> {
  const site = await db.one(sql.type(siteRow)`select preview_url from sites where id = ${siteId}`);
  return site.preview_url;
}

/** Deletes a batch of expired links. @returns how many */
export const deleteExpiredPreviewLinks = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, { table: 'preview_links', by: 'expires_at', until: now, size });

const record = (
  change: Change,
  action: 'preview_link.create' | 'preview_link.delete',
  articleId: string,
  { id, expires_at }: PreviewLink,
): void =>
  recordChange(
    change,
    action,
    { type: 'preview_link', id },
    { article_id: articleId, expires_at: expires_at.toISOString() },
  );
