import { crc32 } from 'node:zlib';

export function pngChunk(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type), ...content]);
  return Buffer.concat([numbers(body.length - 4), body, numbers(crc32(body))]);
}

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};

interface Frame {
  /** Its position and size. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Its zlib stream, in chunks. */
  readonly data: readonly Buffer[];
}

/** An animated PNG: the image as the first frame, followed by others. */
export function animatedPng(png: Buffer, frames: readonly Frame[], announced = frames.length + 1): Buffer {
  let sequence = 0;
  const control = ({ left, top, width, height }: Omit<Frame, 'data'>): Buffer =>
    pngChunk('fcTL', numbers(sequence++, width, height, left, top), Buffer.from([0, 1, 0, 10, 0, 0]));
  const begin = png.indexOf('IDAT') - 4;
  const end = png.indexOf('IEND') - 4;
  return Buffer.concat([
    png.subarray(0, begin),
    pngChunk('acTL', numbers(announced, 0)),
    control({ left: 0, top: 0, width: png.readUInt32BE(16), height: png.readUInt32BE(20) }),
    png.subarray(begin, end),
    ...frames.flatMap((frame) => [
      control(frame),
      ...frame.data.map((piece) => pngChunk('fdAT', numbers(sequence++), piece)),
    ]),
    png.subarray(end),
  ]);
}

/** The zlib stream of a PNG's image. */
export function pngData(png: Buffer): Buffer {
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return Buffer.concat(parts);
}
