import { isDeepStrictEqual } from 'node:util';
import type { Effects } from '../../db/effects.ts';
import { array, at, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Act } from '../audit/change.ts';
import { compress, digestOf, KEPT_REVISIONS, serialized } from './revision-body.ts';
import { writtenMembers } from './row.ts';
import type { Article, WrittenMember } from './row.ts';

/** The most consecutive revisions that are stored as differences. Reading one decompresses those and a whole one. */
const DIFFERENCES = 9;

/**
 * Stores the revision of a change of an article together with the change, unless no member that clients may write has
 * changed (docs/spec/rulings.md, 15); and deletes those that are too many then.
 *
 * @param before null if the change creates the article
 */
export async function recordRevision(
  { tx, actor }: Act<Effects>,
  siteId: string,
  before: Article | null,
  after: Article,
): Promise<void> {
  const changed = before === null ? setMembers(after) : changedMembers(before, after);
  if (before !== null && changed.length === 0) return;
  const bodies = await bodiesOf(before, after);
  const ofArticle = sql.fragment`from article_revisions where article_id = ${after.id}::uuid`;
  // Each has a version as its number, so that an article has at most as many as its version says.
  if (after.version > KEPT_REVISIONS) deleteOldest(tx, after.id, ofArticle);
  const [actorId, actorName] = actor.kind === 'system' ? [null, actor.name] : [actor.id, null];
  const { fits, body } = stored(bodies, ofArticle);
  tx.add(
    (when) => sql.fragment`
      insert into article_revisions (
        article_id, number, site_id, created_at, actor_kind, actor_id, actor_name, changed, title, category_id, author_id,
        tag_ids, digest, whole, body
      ) select
        ${after.id}::uuid, ${after.version}::int, ${siteId}::uuid, ${at(after.updated_at)}::timestamptz,
        ${actor.kind}::text, ${actorId}::uuid, ${actorName}::text, ${array(changed, 'text')}, ${after.title}::text,
        ${after.category_id}::uuid, ${after.author_id}::uuid, ${array(after.tag_ids, 'uuid')},
        ${sql.binary(bodies.digest)}::bytea, not base.fits, ${body}
      from (select ${fits} as fits) base
      where ${when}`,
  );
}

/** Whether the difference fits the stored body, and the body to store then. Without a difference nothing is looked up. */
function stored({ whole, formerDigest, difference }: Bodies, ofArticle: FragmentSqlToken) {
  const wholeBody = sql.fragment`${sql.binary(whole)}::bytea`;
  if (formerDigest === null || difference === null) return { fits: sql.fragment`false`, body: wholeBody };
  // The newest revision may be of another state than the one that the change began with: of a version of the product that
  // stored no revisions, for example. Its digest says so.
  return {
    fits: sql.fragment`
      coalesce((
        select digest = ${sql.binary(formerDigest)}::bytea ${ofArticle} order by number desc limit 1
      ), false) and exists (
        select from (select whole ${ofArticle} order by number desc limit ${DIFFERENCES}) newest where whole
      )`,
    body: sql.fragment`case when base.fits then ${sql.binary(difference)}::bytea else ${wholeBody} end`,
  };
}

type Bodies = Awaited<ReturnType<typeof bodiesOf>>;

/** The body of a revision in both forms; no difference if there is nothing before it, or nothing is gained by it. */
async function bodiesOf(before: Article | null, after: Article) {
  const body = serialized(after);
  const former = before && serialized(before);
  const [whole, difference] = await Promise.all([compress(body), former && compress(body, former)]);
  const gains = former !== null && difference !== null && difference.length < whole.length;
  return {
    digest: digestOf(body),
    whole,
    formerDigest: gains ? digestOf(former) : null,
    difference: gains ? difference : null,
  };
}

const setMembers = (article: Article): readonly WrittenMember[] =>
  writtenMembers.filter((name) => (name === 'tag_ids' ? article.tag_ids.length > 0 : article[name] !== null));

const changedMembers = (before: Article, after: Article): readonly WrittenMember[] =>
  writtenMembers.filter((name) => !isDeepStrictEqual(before[name], after[name]));

/** Deletes the revisions that the next one makes too many, except for revisions on which the body of a kept one is based. */
const deleteOldest = (tx: Effects, articleId: string, ofArticle: FragmentSqlToken): void =>
  tx.add(
    (when) => sql.fragment`
      delete from article_revisions where article_id = ${articleId}::uuid and ${when} and number < (
        select number ${ofArticle} and whole and number <= (
          select number ${ofArticle} order by number desc offset ${KEPT_REVISIONS - 2} limit 1
        ) order by number desc limit 1)`,
  );
