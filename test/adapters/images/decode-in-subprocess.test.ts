import { readFileSync } from 'node:fs';
import { decodeInSubprocess, DecoderUnavailable } from '../../../adapters/images/decode-in-subprocess.ts';
import { inspect } from './inspect.ts';
import { eventually } from '../../support/eventually.ts';
import { flat, noise } from '../../support/images.ts';

const ends = { problem: 'is an image that ends too early or is damaged' };

/** An AVIF too large to be decoded in the API's process. */
async function largeAvif(width = 3_200, height = 2_600): Promise<Buffer> {
  const tile = await noise(256, 256).png().toBuffer();
  return flat(width, height)
    .composite([{ input: tile, tile: true }])
    .avif({ effort: 0, quality: 20 })
    .toBuffer();
}

test('a large AVIF is accepted, one with damaged data in the middle is not', async () => {
  const avif = await largeAvif();
  expect(await inspect(avif)).toMatchObject({ width: 3_200, height: 2_600 });
  expect(await inspect(Buffer.from(avif).fill(0, 400))).toEqual(ends);
  expect(await inspect(Buffer.from(avif).fill(0, avif.length >> 1))).toEqual(ends);
});

test('an AVIF of 12 bits and 24 megapixels is decoded completely', async () => {
  const avif = await flat(6_000, 4_000).avif({ effort: 0, quality: 20, bitdepth: 12 }).toBuffer();
  expect(await inspect(avif)).toMatchObject({ width: 6_000, height: 4_000 });
  expect(await inspect(Buffer.from(avif).fill(0, avif.length - 200))).toEqual(ends);
});

test('an AVIF of more than 30 megapixels is refused by its header', async () => {
  const avif = await flat(60, 40).avif({ effort: 0 }).toBuffer();
  const size = avif.indexOf('ispe') + 8;
  avif.writeUInt32BE(6_001, size);
  avif.writeUInt32BE(5_000, size + 4);
  const problem = { problem: 'is an AVIF of more than 30 megapixels, all frames together' };
  expect(await inspect(avif)).toEqual(problem);
  avif.writeUInt32BE(6_000, size);
  expect(await inspect(avif)).toEqual(ends);
});

test('a large progressive JPEG is accepted, a truncated one with an end marker is not', async () => {
  const jpeg = await flat(8_000, 7_000).jpeg({ progressive: true, quality: 30 }).toBuffer();
  expect(await inspect(jpeg)).toMatchObject({ width: 8_000, height: 7_000 });
  for (const share of [0.2, 0.6]) {
    const cut = jpeg.subarray(0, Math.floor(jpeg.length * share));
    expect(await inspect(Buffer.concat([cut, Buffer.from([0xff, 0xd9])]))).toEqual(ends);
  }
});

test('large GIF and lossless WebP images are accepted', async () => {
  expect(await inspect(await flat(7_000, 6_000).gif({ effort: 1 }).toBuffer())).toMatchObject({
    width: 7_000,
  });
  const webp = await flat(7_000, 6_000).webp({ lossless: true, effort: 0 }).toBuffer();
  expect(await inspect(webp)).toMatchObject({ width: 7_000 });
});

test('the bytes need not be read to the end by the decoder', async () => {
  expect(await decodeInSubprocess('a-site', Buffer.alloc(5_000_000), false)).toBe('damaged');
  expect(await decodeInSubprocess('a-site', Buffer.alloc(0), false)).toBe('damaged');
});

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('the subprocess', () => {
  test('is limited in memory', async () => {
    // Reported like a damaged image; images that need that much are never handed to it.
    expect(
      await decodeInSubprocess('a-site', await flat(9_000, 8_000).avif({ effort: 0 }).toBuffer(), false),
    ).toBe('damaged');
  });

  const children = (): string[] =>
    readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);

  test('runs one at a time, and if it is killed, the image is not blamed', async () => {
    const avif = await largeAvif();
    const before = children();
    const started = () => children().filter((child) => !before.includes(child));
    const both = Promise.allSettled([
      decodeInSubprocess('a-site', avif, false),
      decodeInSubprocess('a-site', avif, false),
    ]);
    await eventually('it has started', () => started().length === 1);
    process.kill(Number(started()[0]), 'SIGKILL');
    const [first, second] = await both;
    expect(first).toMatchObject({ status: 'rejected', reason: expect.any(DecoderUnavailable) });
    expect(second).toEqual({ status: 'fulfilled', value: 'complete' });
    expect(started()).toEqual([]);
  });

  test('is too slow if it reaches its limit of processor time', async () => {
    const before = children();
    const decoding = decodeInSubprocess('a-site', await largeAvif(), false);
    const started = () => children().filter((child) => !before.includes(child));
    await eventually('it has started', () => started().length === 1);
    // What the system sends at the limit.
    process.kill(Number(started()[0]), 'SIGXCPU');
    expect(await decoding).toBe('too slow');
  });

  test('says nothing about an image for which a busy machine has no time', async () => {
    await expect(decodeInSubprocess('a-site', await largeAvif(), false, 30, 0.001)).rejects.toThrow(
      DecoderUnavailable,
    );
  });

  test('is shared: a Site whose images wait does not hold up another', async () => {
    const avif = await largeAvif();
    const order: string[] = [];
    const decode = async (siteId: string) => {
      await decodeInSubprocess(siteId, avif, false);
      order.push(siteId);
    };
    await Promise.all([decode('one'), decode('one'), decode('one'), decode('another')]);
    expect(order).toEqual(['one', 'another', 'one', 'one']);
  });
});
