export interface Frame {
  readonly left?: number;
  readonly top?: number;
  readonly width: number;
  readonly height: number;
  readonly interlaced?: boolean;
  readonly localColours?: boolean;
  /** The number of pixels in its data; all by default. */
  readonly pixels?: number;
}

/** A GIF built block by block, in forms that no encoder writes. All its pixels have one colour. */
export function gifOf(
  screen: { readonly width: number; readonly height: number },
  frames: readonly Frame[],
  version: '87a' | '89a' = '89a',
): Buffer {
  return Buffer.concat([
    Buffer.from(`GIF${version}`),
    words(screen.width, screen.height),
    Buffer.from([0x80, 0, 0]),
    colours,
    ...frames.flatMap(blocksOf),
    Buffer.from([0x3b]),
  ]);
}

const colours = Buffer.from([0, 0, 0, 255, 255, 255]);

const words = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value & 255, value >> 8])));

function blocksOf({ left = 0, top = 0, width, height, interlaced, localColours, pixels }: Frame): Buffer[] {
  const flags = (interlaced === true ? 0x40 : 0) | (localColours === true ? 0x80 : 0);
  return [
    Buffer.from([0x2c]),
    words(left, top, width, height),
    Buffer.from([flags]),
    localColours === true ? colours : Buffer.alloc(0),
    Buffer.from([2]),
    ...subBlocks(codesOf(pixels ?? width * height)),
    Buffer.from([0]),
  ];
}

/** Repeats two pixels and a clear code, so that codes stay at 3 bits. */
function codesOf(pixels: number): Buffer {
  const codes = Array.from({ length: pixels }, (_, pixel) => (pixel % 2 === 0 ? [4, 0] : [0])).flat();
  const bytes = Buffer.alloc(Math.ceil(((codes.length + 1) * 3) / 8) + 1);
  for (const [index, code] of [...codes, 5].entries()) {
    const at = index * 3;
    bytes.writeUInt16LE(bytes.readUInt16LE(at >> 3) | (code << (at & 7)), at >> 3);
  }
  return bytes;
}

const subBlocks = (data: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(data.length / 255) }, (_, index) => {
    const part = data.subarray(index * 255, (index + 1) * 255);
    return Buffer.concat([Buffer.from([part.length]), part]);
  });

/** The same GIF with only a share of the first frame's data blocks, and valid end markers. */
export function cutGif(gif: Buffer, share: number): Buffer {
  const table = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + table(gif.readUInt8(10));
  const skip = (): number[] => {
    const blocks = [];
    for (; gif[at] !== 0; at += gif.readUInt8(at) + 1) blocks.push(at);
    at += 1;
    return blocks;
  };
  while (gif[at] !== 0x2c) {
    at += 2;
    skip();
  }
  at += 11 + table(gif.readUInt8(at + 9));
  const blocks = skip();
  return Buffer.concat([gif.subarray(0, blocks[Math.floor(blocks.length * share)]), Buffer.from([0, 0x3b])]);
}
