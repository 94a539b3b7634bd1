import { inspect } from './inspect.ts';
import { animation, flat, noise } from '../../support/images.ts';
import { cutGif, gifOf } from '../../support/gif.ts';

const ends = { problem: 'is an image that ends too early or is damaged' };
const side = { problem: 'has a side of more than 16384 pixels' };
const large = { problem: 'has more than 100 megapixels, all frames together' };
const dot = { width: 1, height: 1 };

describe('a GIF has the size of its screen, whatever the size of its frames', () => {
  const sizes = [
    [640, 480],
    [641, 480],
    [3_000, 3_000],
    [16_384, 1],
  ] as const;
  test.each(sizes)('%i × %i', async (width, height) => {
    expect(await inspect(gifOf({ width, height }, [dot]))).toMatchObject({ width, height });
  });

  test('a first frame beyond the screen extends it, as in browsers', async () => {
    const first = { left: 5, top: 6, width: 10, height: 20 };
    expect(await inspect(gifOf({ width: 8, height: 8 }, [first]))).toMatchObject({
      width: 15,
      height: 26,
    });
    expect(await inspect(gifOf({ width: 0, height: 0 }, [dot]))).toMatchObject(dot);
    expect(await inspect(gifOf({ width: 8, height: 8 }, [dot, first]))).toMatchObject({
      width: 8,
      height: 8,
    });
  });
});

describe('the limits apply to the screen and to each frame', () => {
  test('sides', async () => {
    const bomb = Buffer.from('R0lGODlh/////4AAAAAAAP///yH5BAABAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
    expect(await inspect(bomb)).toEqual(side);
    expect(await inspect(gifOf({ width: 16_385, height: 1 }, [dot]))).toEqual(side);
    expect(await inspect(gifOf({ width: 20_000, height: 20_000 }, [dot, dot, dot]))).toEqual(side);
    expect(await inspect(gifOf(dot, [dot, { width: 1, height: 16_385 }]))).toEqual(side);
  });

  test('pixels of all frames together', async () => {
    expect(await inspect(gifOf({ width: 10_000, height: 10_000 }, [dot]))).toMatchObject({
      width: 10_000,
    });
    expect(await inspect(gifOf({ width: 10_000, height: 10_001 }, [dot]))).toEqual(large);
    const half = { width: 10_000, height: 5_000 };
    expect(await inspect(gifOf(half, [dot, dot]))).toMatchObject(half);
    expect(await inspect(gifOf(half, [dot, dot, dot]))).toEqual(large);
  });
});

const whole: readonly (readonly [string, () => Promise<Buffer> | Buffer])[] = [
  ['interlaced', () => gifOf({ width: 64, height: 48 }, [{ width: 64, height: 48, interlaced: true }])],
  ['of 1987', () => gifOf({ width: 64, height: 48 }, [{ width: 64, height: 48 }], '87a')],
  [
    'of frames that change a part, with colours of their own',
    () =>
      gifOf({ width: 64, height: 48 }, [
        { width: 64, height: 48 },
        { left: 9, top: 7, width: 20, height: 30, localColours: true },
        { left: 60, top: 40, width: 4, height: 8, interlaced: true },
      ]),
  ],
  [
    'with more data than pixels',
    () => gifOf({ width: 64, height: 48 }, [{ width: 64, height: 48, pixels: 4_000 }]),
  ],
  ['of noise', () => noise(64, 48).gif().toBuffer()],
  ['of two colours', () => noise(64, 48).gif({ colours: 2 }).toBuffer()],
  ['of one colour', () => flat(64, 48).gif().toBuffer()],
  ['interlaced, of noise', () => noise(64, 48).gif({ progressive: true }).toBuffer()],
  ['animated', () => animation(64, 48, 30).gif().toBuffer()],
];
test.each(whole)('a GIF %s is accepted', async (_name, make) => {
  expect(await inspect(await make())).toMatchObject({ mime: 'image/gif', width: 64, height: 48 });
});

test('a photograph whose codes use all 12 bits is accepted', async () => {
  const gif = await noise(900, 700).gif({ effort: 1 }).toBuffer();
  expect(await inspect(gif)).toMatchObject({ width: 900, height: 700 });
});

test.each([0.1, 0.5, 0.9])(
  'a GIF truncated at %d of its data, with end markers, is refused',
  async (share) => {
    expect(await inspect(cutGif(await noise(300, 200).gif().toBuffer(), share))).toEqual(ends);
    expect(await inspect(cutGif(await noise(300, 200).gif({ progressive: true }).toBuffer(), share))).toEqual(
      ends,
    );
  },
);

test('a GIF with a frame that lacks pixels is refused', async () => {
  const screen = { width: 64, height: 48 };
  expect(await inspect(gifOf(screen, [{ ...screen, pixels: 1 }]))).toEqual(ends);
  expect(await inspect(gifOf(screen, [{ ...screen, pixels: 64 * 48 - 1 }]))).toEqual(ends);
  expect(await inspect(gifOf(screen, [screen, { ...screen, pixels: 3_000 }]))).toEqual(ends);
});

test('a GIF with invalid codes is refused', async () => {
  const gif = gifOf({ width: 4, height: 4 }, [{ width: 4, height: 4 }]);
  // The data starts after the screen, the colours and the frame's header: clear, then an undefined code.
  gif.writeUInt8(0b00_111_100, 13 + 6 + 10 + 2);
  expect(await inspect(gif)).toEqual(ends);
});
