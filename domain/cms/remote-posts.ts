import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, json, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Remote } from './adapter.ts';

/** The process that has the lease, and the remote that the connection led to when it took it. */
export interface Holder {
  readonly connectionId: string;
  readonly leaseId: string;
  readonly generation: number;
}

/** Whether a connection is still the holder's, and leads to the same remote. */
const stillHeld = ({ connectionId, leaseId, generation }: Holder): FragmentSqlToken => sql.fragment`
  exists (select from cms_connections c where c.id = ${connectionId}::uuid and c.leased_by = ${leaseId}::uuid
    and c.generation = ${generation}::int and c.deleted_at is null for no key update)`;

const knownRow = z.object({ article_id: z.string(), state: z.unknown(), intent: z.unknown() });

/** The states of posts at the remote, by the ids of their articles. */
export async function readRemotePosts(
  db: Queryable,
  connectionId: string,
  articleIds: readonly string[],
): Promise<ReadonlyMap<string, z.infer<typeof knownRow>>> {
  const rows = await db.any(sql.type(knownRow)`
    select article_id, state, intent from cms_remote_posts
    where connection_id = ${connectionId} and article_id = any(${array(articleIds, 'uuid')})`);
  return new Map(rows.map((row) => [row.article_id, row]));
}

/** The states of other articles whose state or intent names one of the paths. */
export const readRemotePostsAt = (
  db: Queryable,
  connectionId: string,
  paths: readonly string[],
  articleIds: readonly string[],
): Promise<readonly z.infer<typeof knownRow>[]> =>
  db.any(sql.type(knownRow)`
    select article_id, state, intent from cms_remote_posts
    where connection_id = ${connectionId} and article_id <> all(${array(articleIds, 'uuid')})
      and (state ->> 'path' = any(${array(paths, 'text')}) or intent ->> 'path' = any(${array(paths, 'text')}))
    limit ${10 * paths.length}`);

interface Intended {
  /** The next write. */
  readonly intent: object;
  /** What is there, if that was known by the intent that this one replaces. */
  readonly confirmed: object | null;
}

/** Stores the next write. @returns whether the holder may write it */
export const storeIntent = async (
  tx: Transaction,
  holder: Holder,
  articleId: string,
  { intent, confirmed }: Intended,
  now: Date,
): Promise<boolean> =>
  (await tx.exec(statement`
    insert into cms_remote_posts as r (connection_id, article_id, state, intent, updated_at)
    select ${holder.connectionId}::uuid, ${articleId}::uuid, ${json(confirmed)}::jsonb, ${json(intent)}::jsonb,
      ${at(now)}::timestamptz
    where ${stillHeld(holder)}
    on conflict (connection_id, article_id) do update set state = coalesce(excluded.state, r.state),
      intent = excluded.intent, updated_at = excluded.updated_at`)) > 0;

/** Stores the remote state after a push. */
export const storeState = (
  tx: Transaction,
  holder: Holder,
  articleId: string,
  state: object,
  now: Date,
): Promise<number> =>
  tx.exec(statement`
    insert into cms_remote_posts as r (connection_id, article_id, state, updated_at)
    select ${holder.connectionId}::uuid, ${articleId}::uuid, ${json(state)}::jsonb, ${at(now)}::timestamptz
    where ${stillHeld(holder)}
    on conflict (connection_id, article_id)
    do update set state = excluded.state, intent = null, updated_at = excluded.updated_at`);

const imageRow = z.object({ remote: z.unknown() });

/** The remote's answer to the upload of an image; null if it has not got it. */
export async function findRemoteImage(db: Queryable, connectionId: string, source: Buffer): Promise<unknown> {
  const row = await db.maybeOne(sql.type(imageRow)`
    select remote from cms_remote_images
    where connection_id = ${connectionId} and source = ${sql.binary(source)}`);
  return row?.remote ?? null;
}

export const storeRemoteImage = (
  tx: Transaction,
  holder: Holder,
  source: Buffer,
  remote: object,
  now: Date,
): Promise<number> =>
  tx.exec(statement`
    insert into cms_remote_images (connection_id, source, remote, created_at)
    select ${holder.connectionId}::uuid, ${sql.binary(source)}, ${json(remote)}::jsonb, ${at(now)}::timestamptz
    where ${stillHeld(holder)}
    on conflict (connection_id, source) do update set remote = excluded.remote`);

/** Stores the key of an ssh server at the first contact, unless the connection leads elsewhere by now. */
export const storeHostKey = (
  tx: Transaction,
  { connectionId, generation }: Pick<Remote, 'connectionId' | 'generation'>,
  key: string,
): Promise<number> =>
  tx.exec(statement`
    update cms_connections set host_key = ${key}
    where id = ${connectionId} and generation = ${generation} and host_key is null and deleted_at is null`);
