import sharp from 'sharp';
import { LONGEST_SECONDS } from './decoding.ts';
import type { Decoding } from './decoding.ts';

// Only these five formats reach a decoder: no SVG, no PDF, no TIFF.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});

export const options = { limitInputPixels: false, sequentialRead: true, failOn: 'warning' } as const;

/**
 * Decodes every pixel of every frame. Scales each frame to one pixel, so that as little as possible is held.
 *
 * The decoder looks at the time after each frame, and only there: animations may have very many, and some of them take
 * time by the square of that. The time of one frame follows from its pixels, which are limited.
 */
export async function decode(
  bytes: Buffer,
  animated: boolean,
  seconds: number = LONGEST_SECONDS,
): Promise<Decoding> {
  try {
    await sharp(bytes, { ...options, animated })
      .resize({ width: 1, height: 1, fit: 'fill' })
      .raw()
      .timeout({ seconds })
      .toBuffer();
    return 'complete';
  } catch (error) {
    return error instanceof Error && error.message.startsWith('timeout: ') ? 'too slow' : 'damaged';
  }
}
