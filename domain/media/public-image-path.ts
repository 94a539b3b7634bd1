import { mediaBuckets } from './reservation.ts';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.source;

/**
 * The pattern of the keys of public images, which are paths of the API as well. Its groups are the bucket and the
 * extension. The folder is the Site's; older images are stored under the Site's id.
 */
export const publicImageKey = `public/(?:[0-9a-f]{32}|${uuid})/(${mediaBuckets.join('|')})/${uuid}\\.([a-z]{3,4})`;
