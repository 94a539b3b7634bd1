import sharp from 'sharp';
import type { Metadata } from 'sharp';
import { decode, options } from './decode.ts';
import { LONGEST_SECONDS } from './decoding.ts';
import type { Decoding } from './decoding.ts';
import { decodeInSubprocess } from './decode-in-subprocess.ts';
import { looksLikeWebp, readStructure } from './image-structure.ts';
import type { ImageFormat, Structure } from './image-structure.ts';
import { imageTypes } from './image-types.ts';
import { pngFramesAreComplete } from './png-frames.ts';
import { pngIsComplete } from './png-pixels.ts';
import { createTurns } from './turns.ts';
import { settledWithin } from '../../runtime/with-timeout.ts';
import { tenantOf } from '../../domain/organisations/tenant.ts';

const SIDE_LIMIT = 16_384;
/** Of all frames together (docs/spec/rulings.md, 6). */
const PIXEL_LIMIT = 100_000_000;
/** The same for an AVIF, whose decoder holds the whole image at about 26 bytes per pixel (docs/spec/rulings.md, 14). */
const AVIF_PIXEL_LIMIT = 30_000_000;
/**
 * Memory limit of decoding in this process: with the file and the decoder's overhead, an inspection stays below 200 MB.
 * An image that needs more is decoded in a subprocess (domain/media/README.md).
 */
const MEMORY_LIMIT = 150_000_000;
/** Passes of a JPEG. Usual are ten; each costs as much time as the whole image. */
const SCAN_LIMIT = 100;
/** Images decoded at once in one process, of a Site one. */
const AT_ONCE = 2;

export interface ImageFacts {
  readonly mime: string;
  readonly extension: string;
  /** As displayed: the orientation is applied. */
  readonly width: number;
  readonly height: number;
  /** Has several frames. */
  readonly animated: boolean;
}

/** The result of an inspection: facts about the image, or why it cannot be registered. */
export type Inspection = ImageFacts | { readonly problem: string };

const turns = createTurns(AT_ONCE);

const notAnImage = { problem: 'is not a WebP, PNG, JPEG, GIF or AVIF image that can be read' };
const endsEarly = { problem: 'is an image that ends too early or is damaged' };
const tooSlow = { problem: 'is an image that takes too long to decode' };

/**
 * Inspects the bytes themselves: type and dimensions from the header, then every pixel, so that truncation shows.
 *
 * @param siteId the Site of the image: organisations take turns
 * @throws DecoderUnavailable; NoPermit if too many images wait, or one for too long
 */
export async function inspectImage(siteId: string, bytes: Buffer): Promise<Inspection> {
  if (bytes.length === 0) return notAnImage;
  // Before the decoder reads its header, which takes minutes for a hundred thousand frames.
  const webp = looksLikeWebp(bytes) ? await readStructure('webp', bytes) : undefined;
  if (webp === null) return endsEarly;
  const metadata = await sharp(bytes, { ...options, animated: true })
    .metadata()
    .catch(() => null);
  if (metadata === null || !isFormat(metadata.format)) return notAnImage;
  if (metadata.format === 'heif' && metadata.compression !== 'av1') return notAnImage;
  const structure = webp ?? (await readStructure(metadata.format, bytes));
  if (structure === null) return endsEarly;
  const { width, height, side, pixels } = structure.gif ?? extent(metadata, structure);
  if (side > SIDE_LIMIT) return { problem: `has a side of more than ${SIDE_LIMIT} pixels` };
  if (pixels > PIXEL_LIMIT) return { problem: 'has more than 100 megapixels, all frames together' };
  if (metadata.format === 'heif' && pixels > AVIF_PIXEL_LIMIT) {
    return { problem: 'is an AVIF of more than 30 megapixels, all frames together' };
  }
  if ((structure.scans ?? 1) > SCAN_LIMIT) return { problem: `is a JPEG of more than ${SCAN_LIMIT} scans` };
  const held = structure.heldWhole ? canvas(metadata) * bytesPerPixel(metadata) : 0;
  const decoding = await decodeEverything(siteId, bytes, metadata, held);
  if (decoding === 'too slow') return tooSlow;
  if (decoding === 'damaged') return endsEarly;
  const turned = (metadata.orientation ?? 1) >= 5;
  return {
    ...imageTypes[metadata.format],
    width: turned ? height : width,
    height: turned ? width : height,
    animated: isAnimated(metadata, structure),
  };
}

/** Pixels of one frame, as the decoder counts them. */
const canvas = ({ width, height, pageHeight }: Metadata): number => width * (pageHeight ?? height);

function extent(metadata: Metadata, { hiddenFrames }: Structure) {
  const { width, pageHeight: height = metadata.height, pages: frames = 1 } = metadata;
  return {
    width,
    height,
    side: Math.max(width, height),
    pixels: canvas(metadata) * Math.max(frames, hiddenFrames),
  };
}

/** Also by frames that the decoder does not show. */
export const isAnimated = ({ pages = 1 }: Metadata, { hiddenFrames }: Structure): boolean =>
  Math.max(pages, hiddenFrames) > 1;

const isFormat = (format: string): format is ImageFormat => Object.hasOwn(imageTypes, format);

/** Whether the file has data for every pixel. */
async function decodeEverything(
  siteId: string,
  bytes: Buffer,
  metadata: Metadata,
  held: number,
): Promise<Decoding> {
  const animated = (metadata.pages ?? 1) > 1;
  if (metadata.format !== 'png') {
    return held <= MEMORY_LIMIT
      ? decodeHere(siteId, bytes, animated)
      : decodeInSubprocess(siteId, bytes, animated);
  }
  if (held <= MEMORY_LIMIT) {
    const decoding = await decodeHere(siteId, bytes, animated);
    if (decoding !== 'complete') return decoding;
  }
  return turns.run(tenantOf(siteId), async () => {
    const complete =
      (held <= MEMORY_LIMIT || (await pngIsComplete(bytes))) && (await pngFramesAreComplete(bytes));
    return complete ? 'complete' : 'damaged';
  });
}

/**
 * Decodes within the time limit. A decoder that does not look at the time keeps its turn until it ends, but nobody waits
 * for it. What was too slow may only have shared the machine with others, so that its processor time decides.
 */
async function decodeHere(siteId: string, bytes: Buffer, animated: boolean): Promise<Decoding> {
  const release = await turns.acquire(tenantOf(siteId));
  const decoding = decode(bytes, animated).finally(release);
  const known = (await settledWithin(LONGEST_SECONDS * 1_000, decoding)) ? await decoding : 'too slow';
  return known === 'too slow' ? decodeInSubprocess(siteId, bytes, animated) : known;
}

/** Maximum bytes per pixel of a decoder that holds the whole image, as measured (domain/media/README.md). */
function bytesPerPixel({ format, channels, depth, chromaSubsampling, bitsPerSample }: Metadata): number {
  switch (format) {
    case 'jpeg':
      // Coefficients of 16 bits; 4:2:0 has half as many samples.
      return chromaSubsampling === '4:2:0' ? 3 : channels * 2;
    case 'png':
      return channels * (depth === 'ushort' ? 2 : 1);
    case 'heif':
      return (bitsPerSample ?? 8) > 8 ? 26 : 20;
    default:
      return 4.4;
  }
}
