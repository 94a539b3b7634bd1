import { createHash } from 'node:crypto';
import type { PushTools } from '../../domain/cms/adapter.ts';
import type { LeasedConnection } from '../../domain/cms/lease.ts';
import {
  findRemoteImage,
  readRemotePostsAt,
  storeHostKey,
  storeIntent,
  storeRemoteImage,
} from '../../domain/cms/remote-posts.ts';
import { readStoredImage } from './stored-image.ts';
import { LeaseLost } from './keep-lease.ts';
import type { KeptLease } from './keep-lease.ts';
import type { Ports } from '../ports.ts';

const sourceOf = (url: string): Buffer => createHash('sha256').update(url).digest();

/** The tools of an adapter while it pushes for a connection, under its lease. */
export function createTools(
  ports: Pick<Ports, 'db' | 'clock' | 'objects'>,
  { id, site_id: siteId }: LeasedConnection,
  lease: KeptLease,
): PushTools {
  const { db, clock } = ports;
  return {
    signal: lease.signal,
    async intend(articleId, intent, confirmed = null) {
      lease.signal.throwIfAborted();
      const known = { intent, confirmed };
      const may = await db.transaction((tx) => storeIntent(tx, lease.holder, articleId, known, clock.now()));
      if (!may) throw new LeaseLost();
    },
    othersAt: (paths, articleIds) => readRemotePostsAt(db, id, paths, articleIds),
    async keepHostKey(key) {
      await db.transaction((tx) => storeHostKey(tx, lease.holder, key));
    },
    mediaUrl: ports.objects.urlOf(''),
    image: (url) => readStoredImage(ports, siteId, url),
    remoteImage: (url) => findRemoteImage(db, id, sourceOf(url)),
    async keepRemoteImage(url, remote) {
      await db.transaction((tx) => storeRemoteImage(tx, lease.holder, sourceOf(url), remote, clock.now()));
    },
  };
}
