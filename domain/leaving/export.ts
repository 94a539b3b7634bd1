import { z } from 'zod';
import { sql } from '../../db/sql.ts';
import type { Snapshot } from '../../db/snapshot.ts';
import type { Query, Queryable } from '../../db/statements.ts';
import { decompress } from '../articles/revision-body.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import { notFound } from '../kernel/errors.ts';
import { organisationTables } from './organisation-deletion.ts';
import { siteTables } from './site-tables.ts';

const organisationRow = z.object({ id: z.string(), name: z.string() });
const siteRow = z.object({ id: z.string(), name: z.string(), domain: z.string() });
const columnRow = z.object({ name: z.string(), secret: z.boolean(), in_key: z.boolean() });
const lineRow = z.object({ line: z.string() });
const storedRevision = lineRow.extend({
  digest: z.instanceof(Buffer),
  whole: z.boolean(),
  body: z.instanceof(Buffer),
});
const imageRow = z.object({ id: z.string(), object_key: z.string() });

export type ExportedOrganisation = z.infer<typeof organisationRow>;
export type ExportedSite = z.infer<typeof siteRow>;
export type ExportedImage = z.infer<typeof imageRow>;

/** A table's rows of a Site or an organisation, each as a line of JSON. */
export interface ExportedTable {
  readonly name: string;
  readonly lines: AsyncGenerator<z.infer<typeof lineRow>>;
}

/** @throws ServiceError NOT_FOUND */
export async function getOrganisation(db: Queryable, organisationId: string): Promise<ExportedOrganisation> {
  const organisation = await db.maybeOne(sql.type(organisationRow)`
    select id, name from organisations where id = ${organisationId}`);
  if (organisation === null) throw notFound('organisation');
  return organisation;
}

/** Records an export in the audit log: whoever exports sees everything that the customer has. */
export const recordExport = (act: Act, organisationId: string, by: string): void =>
  recordOrganisationChange(
    act,
    'organisation.export',
    organisationId,
    { type: 'organisation', id: organisationId },
    { by },
  );

export const listSites = (db: Queryable, organisationId: string): Promise<readonly ExportedSite[]> =>
  db.any(sql.type(siteRow)`
    select id, name, domain from sites where organisation_id = ${organisationId} order by id`);

/**
 * Columns that are never exported besides those of type bytea, which are secrets, hashes or salts, or the compressed texts
 * of revisions, which are exported as text.
 */
const SECRET_COLUMNS: Readonly<Record<string, readonly string[]>> = { members: ['password_hash'] };

/** The rows of a Site, table by table. Each has to be read before the next. */
export async function* exportSite(snapshot: Snapshot, siteId: string): AsyncGenerator<ExportedTable> {
  for (const { name, ofSite, exported } of siteTables) {
    if (!exported) continue;
    const revisions = name === 'article_revisions';
    const lines = revisions
      ? revisionLines(snapshot, siteId)
      : snapshot.stream(await linesOf(snapshot, name, ofSite(siteId)));
    yield { name, lines };
  }
}

/** Revisions with their texts, which are compressed in the database. */
async function* revisionLines(snapshot: Snapshot, siteId: string): AsyncGenerator<z.infer<typeof lineRow>> {
  const rows = snapshot.stream(sql.type(storedRevision)`
    select to_jsonb(m)::text as line, r.digest, r.whole, r.body
    from articles a join article_revisions r on r.article_id = a.id cross join lateral (
      select r.article_id, r.number, r.site_id, r.created_at, r.actor_kind, r.actor_id, r.actor_name, r.changed,
        r.category_id, r.author_id, r.tag_ids
    ) m
    where a.site_id = ${siteId}::uuid order by r.article_id, r.number`);
  let former: Buffer | undefined;
  for await (const { line, ...stored } of rows) {
    former = await decompress(stored, former);
    yield { line: `${line.slice(0, -1)}, "article": ${former.toString()}}` };
  }
}

/** The rows of an organisation that belong to none of its Sites. The ledger is complete. */
export async function* exportOrganisation(
  snapshot: Snapshot,
  organisationId: string,
): AsyncGenerator<ExportedTable> {
  for (const { name, ofOrganisation, exported } of organisationTables)
    if (exported)
      yield { name, lines: snapshot.stream(await linesOf(snapshot, name, ofOrganisation(organisationId))) };
}

/** The images of a Site. */
export const exportedImages = (snapshot: Snapshot, siteId: string): AsyncGenerator<ExportedImage> =>
  snapshot.stream(sql.type(imageRow)`
    select id, object_key from media_assets where site_id = ${siteId} order by id`);

/** In the order of the primary key: two exports of the same rows are the same, byte for byte. */
async function linesOf(
  snapshot: Snapshot,
  table: string,
  where: ReturnType<(typeof siteTables)[number]['ofSite']>,
): Promise<Query<z.infer<typeof lineRow>>> {
  const columns = await snapshot.any(sql.type(columnRow)`
    select attname as name, atttypid in ('bytea'::regtype, 'bytea[]'::regtype) as secret,
      attnum = any(coalesce((select conkey from pg_constraint where conrelid = attrelid and contype = 'p'), '{}')) as in_key
    from pg_attribute
    where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped
    order by attnum`);
  const exported = columns.filter(
    ({ name, secret }) => !secret && !(SECRET_COLUMNS[table] ?? []).includes(name),
  );
  const key = columns.filter((column) => column.in_key);
  const list = (names: readonly { readonly name: string }[]) =>
    sql.join(
      names.map(({ name }) => sql.identifier([name])),
      sql.fragment`, `,
    );
  const order = key.length > 0 ? sql.fragment`order by ${list(key)}` : sql.fragment``;
  return sql.type(lineRow)`
    select to_jsonb(r)::text as line
    from (select ${list(exported)} from ${sql.identifier([table])} where ${where} ${order}) r`;
}
