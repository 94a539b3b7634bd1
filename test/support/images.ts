import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import type { Sharp } from 'sharp';

/** An image that compresses badly, as photographs do. */
export const noise = (width: number, height: number): Sharp =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

/** An image of one colour: few bytes at any size. */
export const flat = (width: number, height: number, channels: 3 | 4 = 3): Sharp =>
  sharp({
    create: { width, height, channels, background: { r: 40, g: 90, b: 160, alpha: 0.5 } },
    limitInputPixels: false,
  });

/** Frames of different colours, for formats that animate. */
export const animation = (width: number, height: number, frames: number): Sharp => {
  const length = width * height * 3;
  const pixels = Buffer.alloc(length * frames);
  for (let frame = 0; frame < frames; frame += 1)
    pixels.fill((frame * 37) % 256, frame * length, (frame + 1) * length);
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } });
};

/** A GIF with frames of one pixel on a canvas of any size: many frames in few bytes. */
export function tinyFrames(width: number, height: number, frames: number): Buffer {
  const header = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]);
  return Buffer.concat([header, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

/** A PNG whose header claims other dimensions, with a valid checksum. */
export function claimPngSize(png: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}
