import sharp from 'sharp';

/** A JPEG of 3 megapixels and about 1 MB: noise, which compresses about as badly as a detailed photograph. */
export const createJpeg = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 2_000,
      height: 1_500,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .jpeg({ quality: 78 })
    .toBuffer();
