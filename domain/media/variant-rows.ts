import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Variant } from './variant.ts';
import { variantKey } from './variant.ts';

/** How long one process has for a variant: longer than all of its limits take together (api/pages/media/make-variant.ts). */
export const LEASE_MS = 30_000;
/** A variant that failed so often rests, and the image itself is given: the machine may be overloaded. */
export const MOST_TRIES = 3;
/** How long it rests. */
const REST_MS = 24 * 60 * 60_000;

const imageRow = z.object({
  id: z.string(),
  site_id: z.string(),
  object_key: z.string(),
  mime_type: z.string(),
  size_bytes: z.number(),
  width: z.number(),
  height: z.number(),
  animated: z.boolean(),
  outcome: z.enum(['stored', 'original', 'resting']).nullable(),
});

/** An image, and the state of one of its variants. `resting`: the image is given in its place, for now. */
export type ImageWithVariant = z.infer<typeof imageRow>;

/** The image that is stored under a public key; the id in the key is the asset's. */
export async function findImage(
  db: Queryable,
  objectKey: string,
  { width, format }: Variant,
  now: Date,
): Promise<ImageWithVariant | null> {
  const id = objectKey.slice(objectKey.lastIndexOf('/') + 1, objectKey.lastIndexOf('.'));
  return db.maybeOne(sql.type(imageRow)`
    select m.id, m.site_id, m.object_key, m.mime_type, m.size_bytes, m.width, m.height, m.animated,
      case when v.outcome is null and v.rests_until > ${at(now)} then 'resting' else v.outcome end as outcome
    from media_assets m
    left join image_variants v on v.asset_id = m.id and v.width = ${width} and v.format = ${format}
    where m.id = ${id} and m.object_key = ${objectKey}`);
}

const claimRow = z.object({ tries: z.number(), leased_until: timestamp });

/** The right to make a variant, for the time of the lease. */
export type VariantClaim = z.infer<typeof claimRow>;

/**
 * Takes the right to make a variant. Of all processes one has it at a time.
 *
 * The lock of the image makes a deletion wait that would otherwise not see the row.
 *
 * @returns null if another process makes it or it is made, and if the image or its Site is being deleted
 */
export const claimVariant = (
  db: Queryable,
  { id, object_key: objectKey }: Pick<ImageWithVariant, 'id' | 'object_key'>,
  variant: Variant,
  now: Date,
): Promise<VariantClaim | null> =>
  db.maybeOne(sql.type(claimRow)`
    insert into image_variants as v (asset_id, width, format, object_key, tries, leased_until)
    select m.id, ${variant.width}::integer, ${variant.format}::text, ${variantKey(objectKey, variant)}::text, 1,
      ${at(new Date(now.getTime() + LEASE_MS))}::timestamptz
    from media_assets m join sites s on s.id = m.site_id
    where m.id = ${id} and s.deleting_since is null for key share of m
    on conflict (asset_id, width, format) do update set tries = v.tries + 1, leased_until = excluded.leased_until
    where v.outcome is null and v.leased_until <= ${at(now)} and coalesce(v.rests_until <= ${at(now)}, true)
    returning v.tries, v.leased_until`);

const ofVariant = (id: string, { width, format }: Variant): FragmentSqlToken =>
  sql.fragment`asset_id = ${id} and width = ${width} and format = ${format} and outcome is null`;

/** Notes the result of a variant. @returns false if there is nothing to note: the image is deleted, or it was noted */
export async function settleVariant(
  db: Queryable,
  id: string,
  variant: Variant,
  outcome: 'stored' | 'original',
): Promise<boolean> {
  const settled = await db.exec(statement`
    update image_variants set outcome = ${outcome} where ${ofVariant(id, variant)}`);
  return settled > 0;
}

/**
 * Gives the right back, so that another request tries again: at once, or after a rest.
 *
 * @param tries how many have failed, with this one
 */
export async function releaseVariant(
  db: Queryable,
  id: string,
  variant: Variant,
  { leased_until: leasedUntil }: VariantClaim,
  tries: number,
  now: Date,
): Promise<void> {
  const rests = tries >= MOST_TRIES;
  await db.exec(statement`
    update image_variants set leased_until = ${at(now)}, tries = ${rests ? 0 : tries},
      rests_until = ${rests ? at(new Date(now.getTime() + REST_MS)) : null}::timestamptz
    where ${ofVariant(id, variant)} and leased_until = ${at(leasedUntil)}`);
}

const heldRow = z.object({ leased_until: timestamp.nullable() });

/**
 * When nothing can write a variant of an image any more that is about to be deleted, with its rows. Locks the image, so
 * that no other variant is begun.
 *
 * @returns null if no variant was ever begun
 */
export async function variantsWrittenUntil(tx: Transaction, id: string): Promise<Date | null> {
  // The lock of an update would let claims through.
  await tx.exec(statement`select from media_assets where id = ${id} for update`);
  const row = await tx.one(sql.type(heldRow)`
    select max(case when outcome is null then leased_until else to_timestamp(0) end) as leased_until
    from image_variants where asset_id = ${id}`);
  return row.leased_until;
}
