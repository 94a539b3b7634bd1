import { isDeepStrictEqual } from 'node:util';
import { at, sql } from '../../db/sql.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { recordChange } from '../audit/change.ts';
import { differences } from '../audit/details.ts';
import type { Change } from '../audit/change.ts';
import { validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { deriveSlug, underivable } from '../../packages/base/slugs.ts';
import type { Blueprint } from './blueprint.ts';
import { contentTypeDetailRow, detailColumns } from './content-type.ts';
import type { ContentTypeDetail } from './content-type.ts';

/** The most formats of its own that a Site may have. */
export const FORMAT_LIMIT = 200;

interface Values {
  readonly name: string;
  readonly key?: string | undefined;
  readonly blueprint: Blueprint;
  readonly is_active?: boolean | undefined;
}

/**
 * Creates a format of the Site; one with the key of a platform's format replaces it. A key that the Site already uses
 * violates the constraint.
 *
 * @throws ServiceError VALIDATION_FAILED on `key` if none is sent and none can be derived from the name; CONFLICT if
 *   the Site has reached its limit of formats
 */
export async function createContentType(change: Change, values: Values): Promise<ContentTypeDetail> {
  const { tx, site, now } = change;
  const key = values.key ?? deriveSlug(values.name);
  if (key === null) throw validationFailed(underivable('key'));
  await requireRoom(tx, site.id, {
    limit: FORMAT_LIMIT,
    existing: sql.fragment`select from content_types where site_id = ${site.id}`,
    message: `This Site has ${FORMAT_LIMIT} article formats of its own, which is the limit. Change one of them instead: PATCH /content-types/{id}.`,
  });
  const row = await tx.one(sql.type(contentTypeDetailRow)`
    insert into content_types (id, site_id, key, name, blueprint, is_active, created_at, updated_at)
    values (${newId()}, ${site.id}, ${key}, ${values.name}, ${JSON.stringify(values.blueprint)},
      ${values.is_active ?? true}, ${at(now)}, ${at(now)})
    returning ${detailColumns}`);
  recordChange(change, 'content_type.create', { type: 'content_type', id: row.id }, { key });
  return row;
}

/** Updates the given fields that differ. Without an effective change the version stays. */
export async function updateContentType(
  change: Change,
  current: ContentTypeDetail,
  sent: { readonly [Name in keyof Omit<Values, 'key'>]?: Values[Name] | undefined },
): Promise<ContentTypeDetail> {
  const { tx, now } = change;
  const next = {
    name: sent.name ?? current.name,
    blueprint: sent.blueprint ?? current.blueprint,
    is_active: sent.is_active ?? current.is_active,
  };
  const changed = (['name', 'blueprint', 'is_active'] as const).filter(
    (name) => !isDeepStrictEqual(next[name], current[name]),
  );
  if (changed.length === 0) return current;
  const row = await tx.one(sql.type(contentTypeDetailRow)`
    update content_types set
      name = ${next.name}, blueprint = ${JSON.stringify(next.blueprint)}, is_active = ${next.is_active},
      version = version + 1, updated_at = ${at(now)}
    where id = ${current.id}
    returning ${detailColumns}`);
  recordChange(
    change,
    'content_type.update',
    { type: 'content_type', id: row.id },
    { key: row.key, ...differences(current, row, changed) },
  );
  return row;
}
