export const mediaBuckets = ['blog-images', 'author-avatars'] as const;

export type MediaBucket = (typeof mediaBuckets)[number];

/** Widths in which an image is given (docs/spec/rulings.md, 20). */
export const variantWidths = [320, 640, 960, 1_280, 1_920, 2_560] as const;

/** The formats that a request can name; `auto` follows its `Accept`. */
export const requestedFormats = ['avif', 'webp', 'jpeg', 'auto'] as const;

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.source;

/**
 * The pattern of the keys of public images, which are paths of the API as well. Its groups are the bucket and the
 * extension. The folder is the Site's; older images are stored under the Site's id.
 */
export const publicImageKey = `public/(?:[0-9a-f]{32}|${uuid})/(${mediaBuckets.join('|')})/${uuid}\\.([a-z]{3,4})`;
