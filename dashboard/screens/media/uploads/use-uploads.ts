import { useSyncExternalStore } from 'react';
import { useSiteId } from '../../../api/site.ts';
import { uploadsOf } from './queue.ts';
import type { UploadQueue, Uploads } from './queue.ts';

/** The uploads of the open Site, as they are now. */
export function useUploads(): Uploads & { readonly queue: UploadQueue } {
  const queue = uploadsOf(useSiteId());
  return { ...useSyncExternalStore(queue.subscribe, queue.current), queue };
}
