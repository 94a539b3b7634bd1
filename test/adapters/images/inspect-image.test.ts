import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { inspect } from './inspect.ts';
import { animation, claimPngSize, flat, noise, tinyFrames } from '../../support/images.ts';

const ends = { problem: 'is an image that ends too early or is damaged' };
const none = { problem: 'is not a WebP, PNG, JPEG, GIF or AVIF image that can be read' };
const large = { problem: 'has more than 100 megapixels, all frames together' };

const formats = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const;

const whole: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ...formats.map((format) => [format, () => noise(120, 80).toFormat(format).toBuffer()] as const),
  ['progressive jpeg', () => noise(120, 80).jpeg({ progressive: true }).toBuffer()],
  ['interlaced png', () => noise(120, 80).png({ progressive: true }).toBuffer()],
  ['palette png', () => noise(120, 80).png({ palette: true }).toBuffer()],
  ['lossless webp', () => noise(120, 80).webp({ lossless: true }).toBuffer()],
  ['webp with alpha', () => flat(120, 80, 4).webp().toBuffer()],
  ['animated gif', () => animation(120, 80, 7).gif().toBuffer()],
  ['animated webp', () => animation(120, 80, 7).webp().toBuffer()],
  ['avif of 10 bits with alpha', () => flat(120, 80, 4).avif({ bitdepth: 10 }).toBuffer()],
  ['jpeg with a profile', () => noise(120, 80).jpeg().withMetadata().toBuffer()],
];

test.each(whole)('a complete %s is accepted, one truncated anywhere is not', async (_name, make) => {
  const bytes = await make();
  expect(await inspect(bytes)).toMatchObject({ width: 120, height: 80 });
  const cuts = [
    1,
    2,
    3,
    8,
    13,
    Math.floor(bytes.length / 3),
    Math.floor(bytes.length / 2),
    bytes.length - 20,
  ];
  for (const cut of cuts) expect(await inspect(bytes.subarray(0, -cut))).toHaveProperty('problem');
});

test('frames of a WebP that are within each other are read without recursion', async () => {
  const image = await flat(1, 1).webp({ lossless: true }).toBuffer();
  const levels = 100_000;
  const nested = Buffer.alloc(24 * levels);
  for (let level = 0; level < levels; level += 1) {
    nested.write('ANMF', 24 * level, 'latin1');
    nested.writeUInt32LE(24 * (levels - level) - 8, 24 * level + 4);
  }
  const bytes = Buffer.concat([image, nested]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  expect(await inspect(bytes)).toMatchObject({ mime: 'image/webp', width: 1 });
});

test('a JPEG has at most 100 scans', async () => {
  const image = await noise(16, 16).jpeg({ progressive: true }).toBuffer();
  const last = image.lastIndexOf(Buffer.from([0xff, 0xda]));
  const [scan, end] = [image.subarray(last, -2), image.subarray(-2)];
  const bytes = Buffer.concat([image.subarray(0, last), ...Array<Buffer>(100).fill(scan), end]);
  expect(await inspect(bytes)).toEqual({ problem: 'is a JPEG of more than 100 scans' });
});

const polyglots: readonly (readonly [string, () => Promise<Buffer>, object])[] = [
  [
    'a GIF whose screen is the beginning of a script',
    async () => Buffer.from('GIF89a/*<html><script>*/=1;alert(document.domain)</script></html>'),
    none,
  ],
  ['HTML behind the signature of a PNG', async () => Buffer.from('\x89PNG\r\n\x1a\n<html>', 'latin1'), none],
  // Data after the end of an image is not part of it, and cameras add some; it is only served as an image.
  [
    'a JPEG followed by a zip',
    async () => Buffer.concat([await noise(9, 8).jpeg().toBuffer(), Buffer.from('PK\x03\x04', 'latin1')]),
    { mime: 'image/jpeg', width: 9, height: 8 },
  ],
  [
    'a GIF followed by HTML',
    async () => Buffer.concat([await noise(9, 8).gif().toBuffer(), Buffer.from('<html><script>')]),
    { mime: 'image/gif', width: 9, height: 8 },
  ],
];
test.each(polyglots)('%s', async (_name, make, expected) => {
  expect(await inspect(await make())).toMatchObject(expected);
});

const foreign: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ['text', async () => Buffer.from('hello, I am a picture')],
  [
    'SVG',
    async () =>
      Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
  ],
  ['PDF', async () => Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>')],
  ['TIFF', () => noise(9, 8).tiff().toBuffer()],
  ['zip', async () => Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1')],
  ['HEIC', async () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
  ['nothing', async () => Buffer.alloc(0)],
];
test.each(foreign)('%s is not an image', async (_name, make) => {
  expect(await inspect(await make())).toEqual(none);
});

test('a side of 16,384 pixels is accepted, one of 16,385 is not, in either direction', async () => {
  expect(await inspect(await flat(16_384, 2).png().toBuffer())).toMatchObject({ width: 16_384 });
  expect(await inspect(await flat(2, 16_384).jpeg().toBuffer())).toMatchObject({ height: 16_384 });
  const problem = { problem: 'has a side of more than 16384 pixels' };
  expect(await inspect(await flat(16_385, 2).png().toBuffer())).toEqual(problem);
  expect(await inspect(await flat(2, 16_385).jpeg().toBuffer())).toEqual(problem);
});

test('100 megapixels are accepted, one row more is not', async () => {
  expect(await inspect(await flat(10_000, 10_000).png().toBuffer())).toMatchObject({ width: 10_000 });
  expect(await inspect(await flat(10_000, 10_001).png().toBuffer())).toEqual(large);
});

describe('bombs', () => {
  test('a header that claims more pixels than there are', async () => {
    const png = await noise(4, 4).png().toBuffer();
    expect(await inspect(claimPngSize(png, 60_000, 60_000))).toHaveProperty('problem');
    expect(await inspect(claimPngSize(png, 9_000, 9_000))).toEqual(ends);
    const interlaced = await noise(4, 4).png({ progressive: true }).toBuffer();
    expect(await inspect(claimPngSize(interlaced, 9_000, 9_000))).toEqual(ends);
  });

  test('a PNG of a few pixels whose data inflate to 300 MB', async () => {
    const png = await flat(4, 4).png().toBuffer();
    const begin = png.indexOf('IDAT') - 4;
    const data = deflateSync(Buffer.alloc(300_000_000), { level: 9 });
    const chunk = Buffer.alloc(12 + data.length);
    chunk.writeUInt32BE(data.length, 0);
    chunk.write('IDAT', 4);
    data.copy(chunk, 8);
    chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
    const bomb = Buffer.concat([png.subarray(0, begin), chunk, png.subarray(png.indexOf('IEND') - 4)]);
    const before = process.memoryUsage.rss();
    await inspect(bomb);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
  });

  test('frames of an animation count together', async () => {
    const gif = await animation(2_000, 2_000, 26).gif({ effort: 1 }).toBuffer();
    expect(await inspect(gif)).toEqual(large);
    const webp = await animation(2_000, 2_000, 26).webp({ lossless: true, effort: 0 }).toBuffer();
    expect(await inspect(webp)).toEqual(large);
  });

  test('half a million frames of one pixel', async () => {
    expect(await inspect(tinyFrames(1, 1, 500_000))).toMatchObject({ mime: 'image/gif' });
  });

  test('frames of an animated PNG, which only browsers show', async () => {
    const png = await flat(4_000, 4_000).png().toBuffer();
    const control = Buffer.concat([Buffer.from('\0\0\0\x1afcTL', 'latin1'), Buffer.alloc(30)]);
    const end = png.indexOf('IEND') - 4;
    const frames = Array<Buffer>(7).fill(control);
    const animated = Buffer.concat([png.subarray(0, end), ...frames, png.subarray(end)]);
    expect(await inspect(animated)).toEqual(large);
  });

  test('an AVIF whose header claims a smaller size', async () => {
    const avif = await flat(3_000, 3_000).avif({ effort: 0 }).toBuffer();
    const size = avif.indexOf('ispe') + 8;
    avif.writeUInt32BE(100, size);
    avif.writeUInt32BE(100, size + 4);
    expect(await inspect(avif)).toEqual(ends);
  });
});

test('images rotated by their metadata have the width and height as displayed', async () => {
  for (const orientation of [5, 6, 7, 8]) {
    const turned = await noise(60, 40).jpeg().withMetadata({ orientation }).toBuffer();
    expect(await inspect(turned)).toMatchObject({ width: 40, height: 60 });
  }
  const upsideDown = await sharp(await noise(60, 40).jpeg().toBuffer())
    .withMetadata({ orientation: 3 })
    .toBuffer();
  expect(await inspect(upsideDown)).toMatchObject({ width: 60, height: 40 });
});
