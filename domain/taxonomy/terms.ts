import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Query, Queryable } from '../../db/statements.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken, ListSqlToken } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { caseless } from '../alphabetical.ts';
import { notFound, validationFailed } from '../errors.ts';
import { newId } from '../ids.ts';
import { readPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import { deriveSlug } from '../slugs.ts';

const idRow = z.object({ id: z.string() });

/** What categories, tags and authors have in common. */
const termRow = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  article_count: z.number(),
  published_article_count: z.number(),
  version: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
  /** The name as the alphabetical order compares it. */
  sort_key: z.string(),
});

const authorRow = termRow.extend({
  bio: z.string().nullable(),
  avatar_url: z.string().nullable(),
  is_ai_generated: z.boolean(),
});

export type Term = z.infer<typeof termRow>;
export type Author = z.infer<typeof authorRow>;

/** A kind of thing that articles are ordered by: where it is stored, and what articles know of it. */
export interface TermKind<Row extends Term> {
  readonly table: 'categories' | 'tags' | 'authors';
  readonly noun: 'category' | 'tag' | 'author';
  readonly row: z.ZodType<Row>;
  /** Columns beyond name and slug that a client may write. */
  readonly extra: readonly (keyof Row & string)[];
  /** The ids of the articles that carry it. */
  readonly carriers: (siteId: string, id: string) => FragmentSqlToken;
  /** Takes it off the articles that carry it, which get a new version (decisions 4). */
  readonly detach: (siteId: string, id: string, now: Date) => Query;
}

const articlesBy = (column: 'category_id' | 'author_id') => {
  const name = sql.identifier([column]);
  return {
    carriers: (siteId: string, id: string) =>
      sql.fragment`select id from articles where site_id = ${siteId} and ${name} = ${id}`,
    detach: (siteId: string, id: string, now: Date) => statement`
      update articles set ${name} = null, ${changed(now)} where site_id = ${siteId} and ${name} = ${id}`,
  };
};

const changed = (now: Date) =>
  sql.fragment`version = version + 1, updated_at = greatest(updated_at, ${at(now)})`;

export const categories: TermKind<Term> = {
  table: 'categories',
  noun: 'category',
  row: termRow,
  extra: [],
  ...articlesBy('category_id'),
};

export const tags: TermKind<Term> = {
  table: 'tags',
  noun: 'tag',
  row: termRow,
  extra: [],
  carriers: (siteId, id) =>
    sql.fragment`select article_id from article_tags where site_id = ${siteId} and tag_id = ${id}`,
  detach: (siteId, id, now) => statement`
    with gone as (delete from article_tags where site_id = ${siteId} and tag_id = ${id} returning article_id)
    update articles set ${changed(now)} from gone where id = gone.article_id`,
};

export const authors: TermKind<Author> = {
  table: 'authors',
  noun: 'author',
  row: authorRow,
  extra: ['bio', 'avatar_url', 'is_ai_generated'],
  ...articlesBy('author_id'),
};

/** Values to write; what is undefined is left as it is (or at its default). */
export type TermValues<Row extends Term> = Partial<Omit<Row, keyof Term>> & {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
};

const tableOf = (kind: { readonly table: string }) => sql.identifier([kind.table]);

const shared = [
  'id',
  'name',
  'slug',
  'article_count',
  'published_article_count',
  'version',
  'created_at',
  'updated_at',
];

const names = (columns: readonly string[]): ListSqlToken =>
  sql.join(
    columns.map((column) => sql.identifier([column])),
    sql.fragment`, `,
  );

const sortKey = caseless(sql.fragment`name`);

const columnsOf = <Row extends Term>(kind: TermKind<Row>): FragmentSqlToken =>
  sql.fragment`${names([...shared, ...kind.extra])}, ${sortKey} as sort_key`;

/** A page in alphabetical order by name, case-insensitively, then id (decisions 5). */
export function listTerms<Row extends Term>(
  db: Queryable,
  kind: TermKind<Row>,
  site: Site,
  request: PageRequest,
): Promise<Page<Row>> {
  return readPage(
    { key: site.cursorKey, query: kind.table },
    request,
    (after, count) => {
      const behind =
        after === null
          ? sql.fragment``
          : sql.fragment`and (${sortKey}, id) > (${after.key}, ${after.id}::uuid)`;
      return db.any(sql.type(kind.row)`
        select ${columnsOf(kind)} from ${tableOf(kind)}
        where site_id = ${site.id} ${behind} order by ${sortKey}, id limit ${count}`);
    },
    (row) => ({ key: row.sort_key, id: row.id }),
  );
}

/** @throws ServiceError NOT_FOUND */
export async function getTerm<Row extends Term>(
  db: Queryable,
  kind: TermKind<Row>,
  siteId: string,
  id: string,
): Promise<Row> {
  const row = await db.maybeOne(sql.type(kind.row)`
    select ${columnsOf(kind)} from ${tableOf(kind)} where id = ${id} and site_id = ${siteId}`);
  if (row === null) throw notFound(kind.noun);
  return row;
}

/**
 * Reads and locks until the transaction ends.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function getTermForChange<Row extends Term>(
  tx: Transaction,
  kind: TermKind<Row>,
  siteId: string,
  id: string,
): Promise<Row> {
  const row = await tx.maybeOne(sql.type(kind.row)`
    select ${columnsOf(kind)} from ${tableOf(kind)} where id = ${id} and site_id = ${siteId} for no key update`);
  if (row === null) throw notFound(kind.noun);
  return row;
}

/**
 * @throws ServiceError VALIDATION_FAILED on `slug` where none is sent and the name yields none; a slug that is
 *   taken fails on the constraint, no number is appended (specification, Categories)
 */
export async function createTerm<Row extends Term>(
  tx: Transaction,
  kind: TermKind<Row>,
  siteId: string,
  values: TermValues<Row> & { readonly name: string },
  now: Date,
): Promise<Row> {
  const slug = values.slug ?? deriveSlug(values.name);
  if (slug === null)
    throw validationFailed({ slug: 'cannot be derived from this name: send a slug of your own' });
  const extra = kind.extra.filter((name) => written(values, name) !== undefined);
  const row = [
    newId(),
    siteId,
    values.name,
    slug,
    at(now),
    at(now),
    ...extra.map((name) => written(values, name) ?? null),
  ];
  return tx.one(sql.type(kind.row)`
    insert into ${tableOf(kind)} (${names(['id', 'site_id', 'name', 'slug', 'created_at', 'updated_at', ...extra])})
    values (${sql.join(row, sql.fragment`, `)})
    returning ${columnsOf(kind)}`);
}

/** Writes what is sent and differs; without an effective change the version stays. */
export async function updateTerm<Row extends Term>(
  tx: Transaction,
  kind: TermKind<Row>,
  current: Row,
  values: TermValues<Row>,
  now: Date,
): Promise<Row> {
  const changed = ['name', 'slug', ...kind.extra].filter((name) => {
    const value = written(values, name);
    return value !== undefined && value !== current[name as keyof Row];
  });
  if (changed.length === 0) return current;
  const assignments = changed.map(
    (name) => sql.fragment`${sql.identifier([name])} = ${written(values, name) ?? null}`,
  );
  return tx.one(sql.type(kind.row)`
    update ${tableOf(kind)} set ${sql.join(assignments, sql.fragment`, `)}, version = version + 1, updated_at = ${at(now)}
    where id = ${current.id}
    returning ${columnsOf(kind)}`);
}

/**
 * Deletes it; its articles are kept, without it.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function deleteTerm<Row extends Term>(
  tx: Transaction,
  kind: TermKind<Row>,
  siteId: string,
  id: string,
  now: Date,
): Promise<void> {
  const [, found] = await Promise.all([
    // First the articles, then the term, as whoever changes an article has it: else each could wait for the other.
    tx.exec(statement`
      select from articles where id = any(array(${kind.carriers(siteId, id)})) order by id for no key update`),
    // For deletion: an article that takes it meanwhile waits, and then finds that it is gone.
    tx.maybeOne(sql.type(idRow)`
      select id from ${tableOf(kind)} where id = ${id} and site_id = ${siteId} for update`),
  ]);
  if (found === null) throw notFound(kind.noun);
  await tx.exec(kind.detach(siteId, id, now));
  await tx.exec(statement`delete from ${tableOf(kind)} where id = ${id}`);
}

type Written = string | boolean | null | undefined;

const written = (values: object, name: string): Written => (values as Record<string, Written>)[name];
