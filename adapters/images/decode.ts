import sharp from 'sharp';

// Only these five formats reach a decoder: no SVG, no PDF, no TIFF.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});

export const options = { limitInputPixels: false, sequentialRead: true, failOn: 'warning' } as const;

/** Whether every pixel of every frame decodes. Scales to one pixel, so that as little as possible is held. */
export async function decodes(bytes: Buffer, animated: boolean): Promise<boolean> {
  try {
    await sharp(bytes, { ...options, animated })
      .resize({ width: 1, height: 1, fit: 'fill' })
      .raw()
      .toBuffer();
    return true;
  } catch {
    return false;
  }
}
