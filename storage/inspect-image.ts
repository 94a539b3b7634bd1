import sharp from 'sharp';

/** The images that may be registered, by what their bytes are (specification, Media). */
const types: Readonly<Record<string, { readonly mime: string; readonly extension: string }>> = {
  jpeg: { mime: 'image/jpeg', extension: 'jpg' },
  png: { mime: 'image/png', extension: 'png' },
  webp: { mime: 'image/webp', extension: 'webp' },
  gif: { mime: 'image/gif', extension: 'gif' },
  heif: { mime: 'image/avif', extension: 'avif' },
};

/** The type of what lies under a public key, by the key's extension. */
export const publicTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(types).map(({ mime, extension }) => [extension, mime]),
);

const SIDE_LIMIT = 16_384;
/** Of all frames together (decisions 6). */
const PIXEL_LIMIT = 100_000_000;
/** Inspections at once in one process. */
const AT_ONCE = 2;

export interface ImageFacts {
  readonly mime: string;
  readonly extension: string;
  /** As displayed: the orientation is applied. */
  readonly width: number;
  readonly height: number;
}

/** What an inspection finds: the image, or why it is none that can be registered. */
export type Inspection = ImageFacts | { readonly problem: string };

// Nothing but the five formats is ever handed to a decoder: no SVG, no PDF, no TIFF.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});

let underWay = 0;
const waiting: (() => void)[] = [];

/** Reads what bytes really are: type and dimensions from the header first, then every pixel, so that a truncated one shows. */
export async function inspectImage(bytes: Buffer): Promise<Inspection> {
  if (underWay >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  underWay += 1;
  try {
    return await inspect(bytes);
  } finally {
    underWay -= 1;
    waiting.shift()?.();
  }
}

const notAnImage = { problem: 'is not a WebP, PNG, JPEG, GIF or AVIF image that can be read' };

async function inspect(bytes: Buffer): Promise<Inspection> {
  if (bytes.length === 0) return notAnImage;
  const options = { limitInputPixels: false, sequentialRead: true, failOn: 'warning' } as const;
  const metadata = await sharp(bytes, { ...options, animated: true })
    .metadata()
    .catch(() => null);
  const type = metadata === null ? undefined : types[metadata.format];
  if (
    metadata === null ||
    type === undefined ||
    (metadata.format === 'heif' && metadata.compression !== 'av1')
  ) {
    return notAnImage;
  }
  const pages = metadata.pages ?? 1;
  const frameHeight = metadata.pageHeight ?? metadata.height;
  const { width } = metadata;
  if (width > SIDE_LIMIT || frameHeight > SIDE_LIMIT) {
    return { problem: `has a side of more than ${SIDE_LIMIT} pixels` };
  }
  if (width * frameHeight * pages > PIXEL_LIMIT) {
    return { problem: 'has more than 100 megapixels, all frames together' };
  }
  // Scaled while it is decoded, so that a large image never stands in memory as a whole.
  const animated = pages > 1;
  const decoded = await sharp(bytes, { ...options, animated })
    .resize({ width: 32, height: 32 * pages, fit: 'fill' })
    .raw()
    .toBuffer()
    .catch(() => null);
  if (decoded === null) return { problem: 'is an image that ends too early or is damaged' };
  const turned = (metadata.orientation ?? 1) >= 5;
  return { ...type, width: turned ? frameHeight : width, height: turned ? width : frameHeight };
}
