import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { readSettings } from '../../../../runtime/settings.ts';
import { createBucket } from '../../../../adapters/storage/bucket.ts';
import type { Stack } from '../stack.ts';

/**
 * Storage contains exactly the objects of the library and those that may still be registered; all of them can be read.
 */
export async function checkObjects({ client, db, load, product }: Stack): Promise<string[]> {
  const wrong: string[] = [];
  for (const [id, { url, bytes, deleted }] of load.promises.assets) {
    const { status } = await client.send('GET', `/media/${id}`, { answers: [200, 404] });
    const served = await fetch(url);
    const got = Buffer.from(await served.arrayBuffer());
    if (deleted && (status !== 404 || served.status !== 404))
      wrong.push(`asset ${id} was deleted, and is there`);
    if (!deleted && (status !== 200 || !got.equals(bytes)))
      wrong.push(`asset ${id} was registered, and is ${status}, its bytes ${served.status}`);
  }
  const { client: storage, name: Bucket } = createBucket(readSettings(product.addresses.storage));
  const stored = new Set<string>();
  for await (const { Contents = [] } of paginateListObjectsV2({ client: storage }, { Bucket }))
    for (const { Key = '' } of Contents) stored.add(Key);
  storage.destroy();
  const { rows } = await db.pool.query<{ key: string; needed: boolean }>(
    `select object_key as key, true as needed from media_assets
     union all select object_key, false from doomed_objects
     union all select 'uploads/' || site_id || '/' || id, false from upload_reservations where status = 'reserved'`,
  );
  const named = new Set(rows.map(({ key }) => key));
  for (const key of stored) if (!named.has(key)) wrong.push(`${key} is stored without a reference`);
  for (const { key, needed } of rows)
    if (needed && !stored.has(key)) wrong.push(`${key} is named, and is not stored`);
  return wrong;
}
