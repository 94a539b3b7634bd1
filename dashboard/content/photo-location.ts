/** A part of a file, and with what it is overwritten. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly by: number;
}

const GPS_POINTER = 0x88_25;
/** The tags of the GPS directory end with 31; photographs have fewer than a thousand tags in a directory. */
const LAST_GPS_TAG = 31;
const MOST_TAGS = 1_000;
const BYTES_OF_TYPE = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

/**
 * Removes where a photograph was taken: the GPS directory of Exif, and what XMP says of it. Everything else stays as it
 * is, to the byte, so that the file stays one, whatever its format is.
 *
 * @returns the bytes; null if they say nothing about a place
 */
export function withoutLocation(original: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const parts = [...exifParts(original), ...xmpParts(original)];
  if (parts.length === 0) return null;
  const bytes = Uint8Array.from(original);
  for (const { start, end, by } of parts) bytes.fill(by, start, end);
  mendChecksums(bytes);
  return bytes;
}

/** Exif is a TIFF inside of JPEG, PNG, WebP and AVIF, which begins with its order of bytes and 42. */
function exifParts(bytes: Uint8Array): Part[] {
  const parts: Part[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 8 <= bytes.length; at += 1) {
    const isLittle =
      bytes[at] === 0x49 && bytes[at + 1] === 0x49 && bytes[at + 2] === 42 && bytes[at + 3] === 0;
    const isBig = bytes[at] === 0x4d && bytes[at + 1] === 0x4d && bytes[at + 2] === 0 && bytes[at + 3] === 42;
    if (isLittle || isBig) parts.push(...partsOfTiff(view, at, isLittle));
  }
  return parts;
}

function partsOfTiff(view: DataView, tiff: number, isLittle: boolean): Part[] {
  const pointer = entriesAt(view, tiff, view.getUint32(tiff + 4, isLittle), isLittle).find(
    ({ tag }) => tag === GPS_POINTER,
  );
  if (pointer === undefined) return [];
  const offset = view.getUint32(pointer.at + 8, isLittle);
  const entries = entriesAt(view, tiff, offset, isLittle);
  if (entries.length === 0 || entries.some(({ tag }) => tag > LAST_GPS_TAG)) return [];
  const directory = tiff + offset;
  return [
    ...entries.flatMap(({ at }) => valueOf(view, tiff, at, isLittle)),
    // An empty directory.
    { start: directory, end: directory + 2 + entries.length * 12, by: 0 },
  ];
}

interface Entry {
  readonly tag: number;
  readonly at: number;
}

/** The entries of a directory; none if there is no sound one. */
function entriesAt(view: DataView, tiff: number, offset: number, isLittle: boolean): Entry[] {
  const start = tiff + offset;
  if (offset < 8 || start + 2 > view.byteLength) return [];
  const count = view.getUint16(start, isLittle);
  if (count > MOST_TAGS || start + 2 + count * 12 > view.byteLength) return [];
  return Array.from({ length: count }, (_, index) => {
    const at = start + 2 + index * 12;
    return { tag: view.getUint16(at, isLittle), at };
  });
}

/** The value of an entry, if it is too large to be in it. */
function valueOf(view: DataView, tiff: number, at: number, isLittle: boolean): Part[] {
  const size = (BYTES_OF_TYPE[view.getUint16(at + 2, isLittle)] ?? 0) * view.getUint32(at + 4, isLittle);
  const start = tiff + view.getUint32(at + 8, isLittle);
  if (size <= 4 || start + size > view.byteLength) return [];
  return [{ start, end: start + size, by: 0 }];
}

const xmpLocation =
  /\s(?:exif:GPS\w+|Iptc4xmpCore:Location|photoshop:City)\s*=\s*(?:"[^"<]*"|'[^'<]*')|<(exif:GPS\w+|photoshop:City)(?:\s[^>]*)?>[^<]*<\/\1>/g;

/** XMP is text, which stays of the same length; where it is compressed, as no camera does, it is left. */
function xmpParts(bytes: Uint8Array): Part[] {
  const text = new TextDecoder('latin1').decode(bytes);
  if (!text.includes('exif:GPS')) return [];
  return [...text.matchAll(xmpLocation)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
    by: 0x20,
  }));
}

const PNG = [0x89, 0x50, 0x4e, 0x47];

/** Each chunk of a PNG ends with its checksum. */
function mendChecksums(bytes: Uint8Array): void {
  if (!PNG.every((byte, index) => bytes[index] === byte)) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > bytes.length) return;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'eXIf' || type === 'iTXt' || type === 'tEXt')
      view.setUint32(end, crc32(bytes.subarray(at + 4, end)));
    at = end + 4;
  }
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xed_b8_83_20 & -(crc & 1));
  }
  return ~crc >>> 0;
}
