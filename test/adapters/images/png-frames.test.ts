import { deflateSync } from 'node:zlib';
import { inspect } from './inspect.ts';
import { flat, noise } from '../../support/images.ts';
import { animatedPng, pngData } from '../../support/png.ts';

const ends = { problem: 'is an image that ends too early or is damaged' };
const taken = { mime: 'image/png', width: 300, height: 200 };

/** A still of 300 × 200, and frames; the second one changes a part. */
async function animated(options: { progressive?: boolean; palette?: boolean }, announced?: number) {
  const still = await noise(300, 200).png(options).toBuffer();
  const data = pngData(still);
  const part = pngData(await noise(20, 30).png(options).toBuffer());
  // A palette with fewer colours may have another bit depth: the part only exists if the depths are equal.
  const frames = [
    { left: 0, top: 0, width: 300, height: 200, data: [data] },
    ...(options.palette === true ? [] : [{ left: 280, top: 170, width: 20, height: 30, data: [part] }]),
  ];
  return { still, data, frames, png: animatedPng(still, frames, announced) };
}

test.each([{}, { progressive: true }, { palette: true }])(
  'a PNG with frames is taken: %j',
  async (options) => {
    expect(await inspect((await animated(options)).png)).toMatchObject(taken);
  },
);

test('so is one with frames in several chunks', async () => {
  const { still, data, frames } = await animated({});
  const pieces = [data.subarray(0, 5), data.subarray(5, 9_000), data.subarray(9_000)];
  expect(await inspect(animatedPng(still, [{ ...frames[0]!, data: pieces }]))).toMatchObject(taken);
});

test('one with truncated frame data is refused', async () => {
  const { still, data, frames } = await animated({});
  const cut = async (...pieces: Buffer[]) => inspect(animatedPng(still, [{ ...frames[0]!, data: pieces }]));
  expect(await cut(data.subarray(0, 5))).toEqual(ends);
  expect(await cut(data.subarray(0, -9))).toEqual(ends);
  expect(await cut(data.subarray(0, 9_000), data.subarray(9_001))).toEqual(ends);
  expect(await cut()).toEqual(ends);
  expect(await cut(deflateSync(Buffer.alloc(901 * 199)))).toEqual(ends);
  expect(await cut(deflateSync(Buffer.alloc(100)))).toEqual(ends);
});

test('so is one that announces more frames than it has, or has frames beyond its size', async () => {
  expect(await inspect((await animated({}, 4)).png)).toEqual(ends);
  const { still, frames } = await animated({});
  expect(await inspect(animatedPng(still, [{ ...frames[1]!, left: 281 }]))).toEqual(ends);
});

test('a frame that inflates to 300 MB is not inflated beyond its pixels', async () => {
  const png = await flat(900, 900).png().toBuffer();
  const data = [deflateSync(Buffer.alloc(300_000_000), { level: 9 })];
  const before = process.memoryUsage.rss();
  const bomb = animatedPng(png, [{ left: 0, top: 0, width: 900, height: 900, data }]);
  expect(await inspect(bomb)).toEqual(ends);
  expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
});
