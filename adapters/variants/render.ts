import sharp from 'sharp';
import type { Metadata, Sharp } from 'sharp';
import type { VariantFormat } from '../../domain/media/variant.ts';
import { options } from '../images/decode.ts';
import { readStructure } from '../images/image-structure.ts';
import type { ImageFormat } from '../images/image-structure.ts';
import { isAnimated } from '../images/inspect-image.ts';

/** A registered image, and the variant to make of it. */
export interface VariantOrder {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly format: VariantFormat;
}

/** The most pixels of a variant, by its format: as many as the encoder can hold and do in its time (domain/media/README.md). */
const pixelLimit: Readonly<Record<VariantFormat, number>> = {
  jpeg: 50_000_000,
  png: 50_000_000,
  webp: 20_000_000,
  gif: 20_000_000,
  avif: 10_000_000,
};
/** The longest side of a WebP image. */
const WEBP_SIDE = 16_383;

/**
 * Makes a smaller version of an image: as displayed, in sRGB, without metadata.
 *
 * @returns null if the image itself is to be given: it is animated, or a variant of its type would have as many bytes
 */
export async function renderVariant({ bytes, width, format }: VariantOrder): Promise<Uint8Array | null> {
  const image = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const metadata = await sharp(image, { ...options, animated: true }).metadata();
  const structure = await readStructure(metadata.format as ImageFormat, image);
  if (structure === null || isAnimated(metadata, structure)) return null;
  const turned = (metadata.orientation ?? 1) >= 5;
  const [across, down] = turned ? [metadata.height, metadata.width] : [metadata.width, metadata.height];
  const height = Math.max(1, Math.round((down * width) / across));
  if (width * height > pixelLimit[format] || (format === 'webp' && height > WEBP_SIDE)) return null;
  const size = turned ? { width: height, height: width } : { width, height };
  // In two steps, so that the decoder's memory is free before the encoder takes its own.
  const { data, info: pixels } = await upright(
    sharp(image, options).resize({ ...size, fit: 'fill' }),
    metadata,
  )
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  // Not `premultiplied`, which tells how it was scaled, not how it is.
  const raw = { width: pixels.width, height: pixels.height, channels: pixels.channels };
  const made = await encoded(sharp(data, { raw, limitInputPixels: false }), format).toBuffer();
  const sameType = metadata.format === (format === 'avif' ? 'heif' : format);
  return sameType && made.length >= bytes.length ? null : made;
}

/** Turns the small image, after it was scaled: turning the large one would hold all of it. */
function upright(image: Sharp, { orientation = 1 }: Metadata): Sharp {
  switch (orientation) {
    case 2:
      return image.flop();
    case 3:
      return image.rotate(180);
    case 4:
      return image.flip();
    case 5:
      return image.flip().rotate(90);
    case 6:
      return image.rotate(90);
    case 7:
      return image.flop().rotate(90);
    case 8:
      return image.rotate(270);
    default:
      return image;
  }
}

function encoded(image: Sharp, format: VariantFormat): Sharp {
  switch (format) {
    case 'jpeg':
      // Transparent pixels become white, as on most pages.
      return image.flatten({ background: 'white' }).jpeg();
    case 'avif':
      return image.avif({ effort: 2 });
    default:
      return image.toFormat(format);
  }
}
