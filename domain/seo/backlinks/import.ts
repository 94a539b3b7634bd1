import { z } from 'zod';
import { array, at, sql, statement } from '../../../db/sql.ts';
import type { Transaction } from '../../../db/transaction.ts';
import { recordChange } from '../../audit/change.ts';
import type { Change } from '../../audit/change.ts';
import { conflict } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { ReadFile, ReadLink } from './link.ts';

/** Backlinks of a Site. */
export const LINK_LIMIT = 200_000;

const countRow = z.object({ added: z.number(), updated: z.number() });
const totalRow = z.object({ known: z.number(), added: z.number() });

/** How many links an import has added, and how many it had been told of before. */
export type Imported = z.infer<typeof countRow>;

/**
 * Adds the links of a file, and notes those that are known as seen again.
 *
 * @throws ServiceError CONFLICT if the Site would have too many
 */
export async function importBacklinks(change: Change, file: ReadFile): Promise<Imported> {
  const { tx, site, now } = change;
  if (file.links.length === 0) return { added: 0, updated: 0 };
  // Imports of a Site take turns: they lock their rows in different orders, and each has to count those of the others.
  await tx.exec(
    statement`select pg_advisory_xact_lock(hashtextextended('backlinks ' || ${site.id}::text, 0))`,
  );
  await requireRoomFor(tx, site.id, file.links);
  const imported = await upsert(tx, site.id, file.links, now);
  const details = { source: file.source, ...imported, rejected: file.rejectedTotal };
  recordChange(change, 'backlinks.import', { type: 'site', id: site.id }, details);
  return imported;
}

/** Rows without a date were seen now; a date in the future is a mistake of the file. */
const upsert = (tx: Transaction, siteId: string, links: readonly ReadLink[], now: Date): Promise<Imported> =>
  tx.one(sql.type(countRow)`
    with read as (
      select l.*, least(coalesce(l.last_seen, ${at(now)}::timestamptz), ${at(now)}::timestamptz) as seen
      from json_to_recordset(${JSON.stringify(links.map(rowOf))}::json) as l (
        id uuid, key uuid, source_url text, target_url text, reversed_host text, anchor text, rel text[], slug text,
        first_seen timestamptz, last_seen timestamptz)
    ), written as (
      insert into backlinks as b (id, site_id, link_key, source_url, target_url, reversed_host, anchor, rel, article_id,
        status, first_seen_at, last_seen_at)
      select r.id, ${siteId}, r.key, r.source_url, r.target_url, r.reversed_host, r.anchor, r.rel, a.id, 'unknown',
        least(r.first_seen, r.seen), r.seen
      from read r left join articles a on a.site_id = ${siteId} and a.slug = r.slug
      on conflict on constraint backlinks_link_key do update set
        anchor = coalesce(excluded.anchor, b.anchor),
        rel = coalesce(excluded.rel, b.rel),
        article_id = excluded.article_id,
        first_seen_at = least(b.first_seen_at, excluded.first_seen_at),
        last_seen_at = greatest(b.last_seen_at, excluded.last_seen_at)
      -- A row that would stay the same is not written again.
      where (coalesce(excluded.anchor, b.anchor), coalesce(excluded.rel, b.rel), excluded.article_id)
          is distinct from (b.anchor, b.rel, b.article_id)
        or excluded.first_seen_at < b.first_seen_at or excluded.last_seen_at > b.last_seen_at
      -- A row that was there before has been locked.
      returning b.xmax = 0 as added
    )
    select added::int, ((select count(*) from read) - added)::int as updated
    from (select count(*) filter (where added) as added from written) counted`);

const rowOf = (link: ReadLink) => ({
  id: newId(),
  key: link.key,
  source_url: link.sourceUrl,
  target_url: link.targetUrl,
  reversed_host: link.reversedHost,
  anchor: link.anchor,
  rel: link.rel,
  slug: link.slug,
  first_seen: link.firstSeen,
  last_seen: link.lastSeen,
});

/** Before anything is written. @throws ServiceError CONFLICT */
async function requireRoomFor(tx: Transaction, siteId: string, links: readonly ReadLink[]): Promise<void> {
  const keys = array(
    links.map(({ key }) => key),
    'uuid',
  );
  const { known, added } = await tx.one(sql.type(totalRow)`
    select
      (select count(*)::int from backlinks where site_id = ${siteId}) as known,
      (
        select count(*)::int from unnest(${keys}) as n (key)
        where not exists (select from backlinks b where b.site_id = ${siteId} and b.link_key = n.key)
      ) as added`);
  const count = known + added;
  if (added === 0 || count <= LINK_LIMIT) return;
  throw conflict(
    `csv: with its links this Site would have ${count} backlinks, and the limit is ${LINK_LIMIT}. Leave out links that matter less, or delete some: DELETE /seo/backlinks/{id}.`,
  );
}
