import { z } from 'zod';
import type { Query, Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken, ListSqlToken } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { caseInsensitive } from '../kernel/case-insensitive-order.ts';
import { differences, values as valuesOf } from '../audit/details.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { detachPlanned, lockPlanned } from '../content-plan/references.ts';
import type { PlannedTerm } from '../content-plan/references.ts';
import { offerEvent } from '../events/events.ts';
import { notFound, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { purgeDeletedTerm, purgeTerm } from '../purge/purge.ts';
import type { Purging } from '../purge/purge.ts';
import { readPage } from '../kernel/page.ts';
import type { Order, Page, PageRequest } from '../kernel/page.ts';
import { siteObject } from '../kernel/site-object.ts';
import { deriveSlug, underivable } from '../../packages/base/slugs.ts';
import { presentAuthor, presentTerm } from './present.ts';
import { authorRow, termRow } from './term.ts';
import type { Author, Term } from './term.ts';

const idRow = z.object({ id: z.string() });
const lockedRow = z.object({ id: z.string(), name: z.string(), slug: z.string(), version: z.number() });

/** A kind of term: its table, and its relation to articles. */
export interface TermKind<Row extends Term> {
  readonly table: 'categories' | 'tags' | 'authors';
  readonly noun: 'category' | 'tag' | 'author';
  readonly row: z.ZodType<Row>;
  /** Columns besides name and slug that a client may write. */
  readonly extra: readonly (keyof Row & string)[];
  /** Its name in items of the content plan; null if they have none. */
  readonly planned: PlannedTerm | null;
  /** The ids of the articles that have the term. */
  readonly carriers: (siteId: string, id: string) => FragmentSqlToken;
  /** A term as events show it. */
  readonly present: (row: Row) => object;
  /** Removes the term from its articles, which get a new version (docs/spec/rulings.md, 4). @returns their ids */
  readonly detach: (siteId: string, id: string, now: Date) => Query<z.infer<typeof idRow>>;
}

const articlesBy = (column: 'category_id' | 'author_id') => {
  const name = sql.identifier([column]);
  return {
    carriers: (siteId: string, id: string) =>
      sql.fragment`select id from articles where site_id = ${siteId} and ${name} = ${id}`,
    detach: (siteId: string, id: string, now: Date) => sql.type(idRow)`
      update articles set ${name} = null, ${changed(now)} where site_id = ${siteId} and ${name} = ${id} returning id`,
  };
};

const changed = (now: Date) =>
  sql.fragment`version = version + 1, updated_at = greatest(updated_at, ${at(now)})`;

const asSecretKey = { kind: 'secret' } as const;

export const categories: TermKind<Term> = {
  table: 'categories',
  noun: 'category',
  row: termRow,
  extra: [],
  planned: 'category',
  present: (row) => presentTerm(row, asSecretKey),
  ...articlesBy('category_id'),
};

export const tags: TermKind<Term> = {
  table: 'tags',
  noun: 'tag',
  row: termRow,
  extra: [],
  planned: null,
  present: (row) => presentTerm(row, asSecretKey),
  carriers: (siteId, id) =>
    sql.fragment`select article_id from article_tags where site_id = ${siteId} and tag_id = ${id}`,
  detach: (siteId, id, now) => sql.type(idRow)`
    with gone as (delete from article_tags where site_id = ${siteId} and tag_id = ${id} returning article_id)
    update articles set ${changed(now)} from gone where id = gone.article_id returning id`,
};

export const authors: TermKind<Author> = {
  table: 'authors',
  noun: 'author',
  row: authorRow,
  extra: ['bio', 'avatar_url', 'is_ai_generated'],
  planned: 'author',
  present: (row) => presentAuthor(row, asSecretKey),
  ...articlesBy('author_id'),
};

/** Values to write; undefined members stay unchanged (or get their default). */
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

const sortKey = caseInsensitive(sql.fragment`name`);

const columnsOf = <Row extends Term>(kind: TermKind<Row>): FragmentSqlToken =>
  sql.fragment`${names([...shared, ...kind.extra])}, ${sortKey} as sort_key`;

const alphabetical: Order<Term> = {
  columns: [sortKey, sql.fragment`id`],
  direction: 'asc',
  positionOf: (row) => ({ key: row.sort_key, id: row.id }),
};

/** The name as prefixes are compared with it; the indexes contain the same expression. */
const foldedName = sql.fragment`search_folded(name) collate "C"`;
/** A name has at most 200 letters, so that everything with a prefix is below it and as many of the last letter. */
const NAME_LETTERS = 200;

/** The condition for names with a prefix, without regard to case and accents (docs/spec/rulings.md, 15). */
const beginsWith = (prefix: string): FragmentSqlToken => sql.fragment`
  and ${foldedName} >= search_folded(${prefix}::text)
  and ${foldedName} < search_folded(${prefix}::text) || repeat(chr(1114111), ${NAME_LETTERS}::int)`;

/**
 * A page in alphabetical order by name, case-insensitively, then id (docs/spec/rulings.md, 5).
 *
 * @param query `q` is the beginning of the names
 */
export function listTerms<Row extends Term>(
  db: Queryable,
  kind: TermKind<Row>,
  site: Site,
  { q, ...request }: PageRequest & { readonly q?: string | undefined },
): Promise<Page<Row>> {
  const named = q === undefined ? sql.fragment`` : beginsWith(q.trim());
  const list = q === undefined ? kind.table : `${kind.table} ${q}`;
  return readPage(site, list, request, alphabetical, ({ after, order }, count) =>
    db.any(sql.type(kind.row)`
      select ${columnsOf(kind)} from ${tableOf(kind)}
      where site_id = ${site.id} ${named} and ${after} order by ${order} limit ${count}`),
  );
}

/** The functions that read a term by its id. */
export const termsOf = <Row extends Term>(kind: TermKind<Row>) =>
  siteObject({
    row: kind.row,
    columns: columnsOf(kind),
    from: sql.fragment`${tableOf(kind)}`,
    noun: kind.noun,
  });

/**
 * @throws ServiceError VALIDATION_FAILED on `slug` if none is sent and none can be derived from the name; a slug that
 *   is taken violates the constraint, because no number is appended (docs/spec/service-api.md, Categories)
 */
export async function createTerm<Row extends Term>(
  change: Change,
  kind: TermKind<Row>,
  values: TermValues<Row> & { readonly name: string },
): Promise<Row> {
  const { tx, site, now } = change;
  const slug = values.slug ?? deriveSlug(values.name);
  if (slug === null) throw validationFailed(underivable('slug'));
  const extra = kind.extra.filter((name) => valueOf(values, name) !== undefined);
  const row = [
    newId(),
    site.id,
    values.name,
    slug,
    at(now),
    at(now),
    ...extra.map((name) => valueOf(values, name) ?? null),
  ];
  const created = await tx.one(sql.type(kind.row)`
    insert into ${tableOf(kind)} (${names(['id', 'site_id', 'name', 'slug', 'created_at', 'updated_at', ...extra])})
    values (${sql.join(row, sql.fragment`, `)})
    returning ${columnsOf(kind)}`);
  recordChange(change, `${kind.noun}.create`, targetOf(kind, created.id), valuesOf(created, written(kind)));
  offerEvent(change, `${kind.noun}.created`, () => kind.present(created));
  return created;
}

/** Updates the given fields that differ. Without an effective change the version stays. */
export async function updateTerm<Row extends Term>(
  change: Change,
  purging: Purging,
  kind: TermKind<Row>,
  current: Row,
  values: TermValues<Row>,
): Promise<Row> {
  const { tx, now } = change;
  const changed = written(kind).filter((name) => {
    const value = valueOf(values, name);
    return value !== undefined && value !== current[name];
  });
  if (changed.length === 0) return current;
  const assignments = changed.map(
    (name) => sql.fragment`${sql.identifier([name])} = ${valueOf(values, name) ?? null}`,
  );
  const updated = await tx.one(sql.type(kind.row)`
    update ${tableOf(kind)} set ${sql.join(assignments, sql.fragment`, `)}, version = version + 1, updated_at = ${at(now)}
    where id = ${current.id}
    returning ${columnsOf(kind)}`);
  recordChange(
    change,
    `${kind.noun}.update`,
    targetOf(kind, current.id),
    differences(current, updated, changed),
  );
  offerEvent(change, `${kind.noun}.updated`, () => kind.present(updated));
  const slugs = [current.slug, updated.slug];
  const used = updated.published_article_count > 0;
  purgeTerm(tx, purging, { kind: kind.noun, id: current.id, slugs, used }, now);
  return updated;
}

/**
 * Deletes a term; its articles are kept, without it.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function deleteTerm<Row extends Term>(
  change: Change,
  purging: Purging,
  kind: TermKind<Row>,
  id: string,
): Promise<void> {
  const { tx, site, now } = change;
  const found = await lockTermToDelete(tx, kind, site.id, id);
  // An article that got the term at this moment was committed before the term was locked: only this finds it.
  const detached = await tx.any(kind.detach(site.id, id, now));
  if (kind.planned !== null) await detachPlanned(tx, site.id, kind.planned, id, now);
  await tx.exec(statement`delete from ${tableOf(kind)} where id = ${id}`);
  recordChange(change, `${kind.noun}.delete`, targetOf(kind, id), valuesOf(found, ['name', 'slug']));
  offerEvent(change, `${kind.noun}.deleted`, () => ({ id }));
  const articles = detached.map((article) => article.id);
  purgeDeletedTerm(tx, purging, { kind: kind.noun, slug: found.slug }, articles, now);
}

/** Locks a term, and its articles, for its deletion. @throws ServiceError NOT_FOUND */
export async function lockTermToDelete<Row extends Term>(
  tx: Transaction,
  kind: TermKind<Row>,
  siteId: string,
  id: string,
): Promise<z.infer<typeof lockedRow>> {
  const [, , found] = await Promise.all([
    // Articles and plan items are locked before the term, as by changes of them, to avoid deadlocks.
    tx.exec(statement`
      select from articles where id = any(array(${kind.carriers(siteId, id)})) order by id for no key update`),
    kind.planned === null ? 0 : lockPlanned(tx, siteId, kind.planned, id),
    // For deletion: a concurrent article that uses the term waits, and then finds that it is gone.
    tx.maybeOne(sql.type(lockedRow)`
      select id, name, slug, version from ${tableOf(kind)} where id = ${id} and site_id = ${siteId} for update`),
  ]);
  if (found === null) throw notFound(kind.noun);
  return found;
}

/** The fields that a client may write. */
const written = <Row extends Term>({ extra }: TermKind<Row>): readonly (keyof Row & string)[] => [
  'name',
  'slug',
  ...extra,
];

const targetOf = ({ noun }: { readonly noun: string }, id: string): { type: string; id: string } => ({
  type: noun,
  id,
});

type Value = string | boolean | null | undefined;

const valueOf = (values: object, name: string): Value => (values as Record<string, Value>)[name];
