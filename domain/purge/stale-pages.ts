import { z } from 'zod';
import { json, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { publicFolder } from '../media/reservation.ts';
import { pageKinds, publicUrl, termKinds, urlPathsRow } from './public-urls.ts';
import type { PageKind } from './public-urls.ts';
import { termFiles } from './stale-addresses.ts';

/** Many stale pages, which are found a batch at a time. */
export const stalePagesRow = z.object({
  /** The paths under which they are stale; null for those that the Site has now. With none, only feeds are. */
  paths: z.array(urlPathsRow).nullable(),
  /** The term whose articles they are; null for every page of the Site, and the feeds of its terms. */
  of: z.object({ kind: z.enum(termKinds), id: z.string() }).nullable(),
  /** The last page that was purged. */
  after: z.object({ kind: z.enum(pageKinds), id: z.string() }).nullable(),
});

export type StalePages = z.infer<typeof stalePagesRow>;

const BATCH = 200;
/** Before the first row of a table. */
const FIRST = '00000000-0000-0000-0000-000000000000';
/** Where the pages of terms begin: those of articles come before them. */
export const beforeTerms = { kind: 'category', id: FIRST } as const;

const siteRow = z.object({ domain: z.string(), url_paths: urlPathsRow });
const pageRow = z.object({ id: z.string(), slug: z.string() });

const from: Readonly<Record<PageKind, FragmentSqlToken>> = {
  article: sql.fragment`articles p`,
  category: sql.fragment`categories p`,
  tag: sql.fragment`tags p`,
  author: sql.fragment`authors p`,
};

const having = ({ kind, id }: NonNullable<StalePages['of']>): FragmentSqlToken =>
  ({
    category: sql.fragment`p.category_id = ${id}`,
    author: sql.fragment`p.author_id = ${id}`,
    tag: sql.fragment`p.id in (select article_id from article_tags where tag_id = ${id})`,
  })[kind];

/** A batch of stale addresses, and the rest after it. */
export interface StaleBatch {
  readonly urls: readonly string[];
  /** null after the last batch. */
  readonly rest: StalePages | null;
}

/** Reads the next batch. @param origin the public URL of the service */
export async function nextStalePages(
  db: Queryable,
  siteId: string,
  pages: StalePages,
  origin: string,
): Promise<StaleBatch> {
  const kind = pages.after?.kind ?? 'article';
  const site = await db.one(sql.type(siteRow)`select domain, url_paths from sites where id = ${siteId}`);
  const rows = await db.any(sql.type(pageRow)`
    select p.id, p.slug from ${from[kind]}
    where p.site_id = ${siteId} and ${pages.after === null ? sql.fragment`true` : sql.fragment`p.id > ${pages.after.id}`}
      and ${kind === 'article' ? sql.fragment`p.status = 'published'` : sql.fragment`true`}
      and ${pages.of === null ? sql.fragment`true` : having(pages.of)}
    order by p.id limit ${BATCH}`);
  const paths = pages.paths ?? [site.url_paths];
  const base = `${origin}/${publicFolder(siteId)}`;
  const urls = rows.flatMap(({ slug }) => [
    ...paths.map((one) => publicUrl({ domain: site.domain, url_paths: one }, kind, slug)),
    ...(kind === 'article' ? [] : termFiles.map((file) => `${base}/${kind}/${slug}/${file}`)),
  ]);
  return { urls: [...new Set(urls)], rest: rest(pages, kind, rows) };
}

function rest(pages: StalePages, kind: PageKind, rows: readonly { id: string }[]): StalePages | null {
  const last = rows.at(-1);
  if (last !== undefined && rows.length === BATCH) return { ...pages, after: { kind, id: last.id } };
  const next = pages.of === null ? pageKinds[pageKinds.indexOf(kind) + 1] : undefined;
  return next === undefined ? null : { ...pages, after: { kind: next, id: FIRST } };
}

/** Records how far a purge has come, so that it goes on from there. */
export async function rememberStalePages(db: Queryable, purgeId: string, rest: StalePages): Promise<void> {
  await db.exec(statement`
    update cache_purges set urls = '{}', keys = '{}', pages = ${json(rest)}::jsonb where id = ${purgeId}`);
}
