import { decode } from '../../../adapters/images/decode.ts';
import { inspectImage } from '../../../adapters/images/inspect-image.ts';
import { readStructure } from '../../../adapters/images/image-structure.ts';
import { pngFramesAreComplete } from '../../../adapters/images/png-frames.ts';
import { joined } from '../../../adapters/images/png-pixels.ts';
import { flat, noise, tinyFrames } from '../../support/images.ts';
import { animatedPng, pngChunk, pngData } from '../../support/png.ts';
import { inspect } from './inspect.ts';

const ends = { problem: 'is an image that ends too early or is damaged' };

/** How often others have their turn while the work goes on. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = -1;
  let going = true;
  const next = (): void => {
    turns += 1;
    if (going) setImmediate(next);
  };
  setImmediate(next);
  await work();
  going = false;
  return turns;
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const repeat = (block: Buffer, times: number): Buffer => Buffer.alloc(block.length * times, block);

/** A RIFF container of a WebP with these chunks. */
function webpOf(...chunks: Buffer[]): Buffer {
  const bytes = Buffer.concat([latin('RIFF\0\0\0\0WEBP'), ...chunks]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes;
}

/** An animation of a WebP with empty frames. */
const emptyFrames = (frames: number): Buffer =>
  webpOf(repeat(Buffer.concat([latin('ANMF\x10\0\0\0'), Buffer.alloc(16)]), frames));

/** A PNG with as many empty chunks before its end. */
async function pngWith(type: string, chunks: number): Promise<Buffer> {
  const png = await flat(4, 4).png().toBuffer();
  const end = png.indexOf('IEND') - 4;
  return Buffer.concat([png.subarray(0, end), repeat(pngChunk(type), chunks), png.subarray(end)]);
}

const MILLION = 1_000_000;

describe('others have their turn while the blocks are read', () => {
  test('of a JPEG whose scan is nothing but escaped bytes', async () => {
    const scan = repeat(latin('\xff\0'), MILLION);
    const jpeg = Buffer.concat([latin('\xff\xd8\xff\xda\0\x02'), scan, latin('\xff\xd9')]);
    expect(await turnsDuring(() => readStructure('jpeg', jpeg))).toBeGreaterThan(50);
  });

  test.each(['\xff', '\xff\xd0', '\xff\xe0\0\x02'])('of a JPEG of empty segments: %j', async (segment) => {
    const jpeg = Buffer.concat([latin('\xff\xd8'), repeat(latin(segment), MILLION), latin('\xff\xd9')]);
    expect(await turnsDuring(() => readStructure('jpeg', jpeg))).toBeGreaterThan(50);
  });

  test('of a WebP of empty chunks, also within a frame', async () => {
    const chunks = repeat(latin('JUNK\0\0\0\0'), MILLION / 2);
    expect(await turnsDuring(() => readStructure('webp', webpOf(chunks)))).toBeGreaterThan(50);
    const frame = Buffer.concat([latin('ANMF\0\0\0\0'), Buffer.alloc(16), chunks]);
    frame.writeUInt32LE(frame.length - 8, 4);
    expect(await turnsDuring(() => readStructure('webp', webpOf(frame)))).toBeGreaterThan(50);
  });

  test('of a GIF whose data comes byte by byte', async () => {
    const data = repeat(Buffer.from([1, 1]), 2 * MILLION);
    const gif = Buffer.concat([tinyFrames(1, 1, 1).subarray(0, -1), latin('!\xfe'), data, latin('\0;')]);
    expect(await turnsDuring(() => readStructure('gif', gif))).toBeGreaterThan(10);
  });

  test('of a PNG of many chunks, whose frames are read as well', async () => {
    const png = await pngWith('IDAT', 90_000);
    expect(await readStructure('png', png)).not.toBeNull();
    expect(await turnsDuring(() => readStructure('png', png))).toBeGreaterThan(10);
    const animated = animatedPng(await pngWith('tEXt', 90_000), []);
    expect(await turnsDuring(() => pngFramesAreComplete(animated))).toBeGreaterThan(10);
  });
});

test('a PNG of more than 100,000 chunks is refused', async () => {
  expect(await inspect(await pngWith('IDAT', 100_000))).toEqual(ends);
});

test('an AVIF of more than 5,000 boxes is refused, and one whose extents take no bytes', async () => {
  const avif = await flat(60, 40).avif({ effort: 0 }).toBuffer();
  const free = latin('\0\0\0\x08free');
  expect(await readStructure('heif', Buffer.concat([avif, repeat(free, 4_000)]))).not.toBeNull();
  expect(await readStructure('heif', Buffer.concat([avif, repeat(free, 5_000)]))).toBeNull();
  // Version 0, sizes of zero, one item with 65,535 extents.
  const iloc = latin('\0\0\0\x16iloc\0\0\0\0\0\0\0\x01\0\x01\0\0\xff\xff');
  const meta = Buffer.concat([latin('\0\0\0\x22meta\0\0\0\0'), iloc]);
  expect(await readStructure('heif', meta)).toBeNull();
});

test('a WebP of more than 10,000 frames is refused before its decoder looks at it', async () => {
  expect(await readStructure('webp', emptyFrames(10_000))).not.toBeNull();
  expect(await inspect(emptyFrames(400_000))).toEqual(ends);
});

test('an animated PNG of many small chunks is inflated in few pieces', async () => {
  const bytes = await noise(300, 200).png().toBuffer();
  const data = pngData(bytes);
  const pieces = Array.from(data, (_, at) => [data.subarray(at, at + 1), Buffer.alloc(0)]).flat();
  const few = [...joined(pieces)];
  expect(Buffer.concat(few).equals(data)).toBe(true);
  expect(few.length).toBeLessThan(5);
  expect([...joined([data, Buffer.alloc(0), data])]).toEqual([data, data]);
  const inPieces = pieces.filter((_, index) => index < 20_000);
  inPieces.push(data.subarray(10_000));
  const frame = { left: 0, top: 0, width: 300, height: 200, data: inPieces };
  expect(await inspect(animatedPng(bytes, [frame]))).toMatchObject({ mime: 'image/png' });
  const empty = Array<Buffer>(100_000).fill(Buffer.alloc(0));
  expect(await inspect(animatedPng(bytes, [{ ...frame, data: [...empty, data] }]))).toEqual(ends);
});

test('an image that takes too long to decode is told from a damaged one', async () => {
  expect(await decode(tinyFrames(12, 12, 1_000_000), true, 1)).toBe('too slow');
  expect(await decode((await noise(90, 90).png().toBuffer()).subarray(0, 9_000), false, 30)).toBe('damaged');
});

test('large images of one Site do not hold up the images of another', async () => {
  const large = await noise(1_800, 1_500).avif({ effort: 0, quality: 30 }).toBuffer();
  const small = await flat(9, 9).png().toBuffer();
  const order: string[] = [];
  const inspectFor = async (siteId: string, bytes: Buffer) => {
    expect(await inspectImage(siteId, bytes)).toHaveProperty('mime');
    order.push(siteId);
  };
  await Promise.all([
    ...[large, large, large].map((image) => inspectFor('one', image)),
    inspectFor('another', small),
  ]);
  expect(order).toEqual(['another', 'one', 'one', 'one']);
});
