import { createKey } from '../access/keys.ts';
import type { KeyWithSecret, NewKey } from '../access/keys.ts';
import type { Act } from '../audit/change.ts';
import { notify } from './notify.ts';

/**
 * Creates a key that leaves the service, and tells who administers it. Keys of the dashboard, which come and go with
 * sessions, are made by `createKey` alone.
 *
 * @throws ServiceError as {@link createKey} does
 */
export async function handOutKey(act: Act, values: Omit<NewKey, 'sessionId'>): Promise<KeyWithSecret> {
  const created = await createKey(act, values);
  const { tx, actor, now } = act;
  const target = { type: 'key', id: created.key.id };
  notify(tx, { kind: 'security.key_created', siteId: values.siteId, actor, target }, now);
  return created;
}
