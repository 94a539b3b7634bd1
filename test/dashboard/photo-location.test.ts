import sharp from 'sharp';
import { withoutLocation } from '../../dashboard/content/photo-location.ts';

const gps = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '51/1 30/1 3230/100',
  GPSLongitudeRef: 'W',
  GPSLongitude: '0/1 7/1 3947/100',
  GPSDateStamp: '2026:11:28',
};
const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="kept" exif:GPSLatitude="51,30.5383N"><exif:GPSLongitude>0,7.6578W</exif:GPSLongitude></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

const pixels = () => sharp({ create: { width: 16, height: 12, channels: 3, background: '#3a7' } });
const formats = ['jpeg', 'png', 'webp', 'avif'] as const;
const located = (format: (typeof formats)[number]): Promise<Buffer> =>
  pixels()
    .withExif({ IFD0: { Artist: 'Ada' }, IFD3: gps })
    .withXmp(xmp)
    .toFormat(format, { lossless: true })
    .toBuffer();

test.each(formats)(
  'the place is removed from a photograph in %s, and everything else stays',
  async (format) => {
    const original = await located(format);
    const before = await sharp(original).metadata();
    const bytes = withoutLocation(original);
    expect(bytes?.length).toBe(original.length);
    const after = await sharp(bytes as Uint8Array).metadata();
    expect([after.format, after.width, after.exif?.length]).toEqual([
      before.format,
      before.width,
      before.exif?.length,
    ]);
    expect(before.exif?.toString('latin1')).toContain('2026:11:28');
    expect(after.exif?.toString('latin1')).not.toContain('2026:11:28');
    expect(after.exif?.toString('latin1')).toContain('Ada');
    const text = after.xmp?.toString('utf8') ?? '';
    // In a PNG it may be compressed, which no camera does.
    if (format !== 'png') expect(text).not.toMatch(/51,30|7\.6578|GPS/);
    expect(text).toContain('dc:format="kept"');
    const raw = (of: Uint8Array) => sharp(of).raw().toBuffer();
    expect((await raw(bytes as Uint8Array)).equals(await raw(original))).toBe(true);
    expect(withoutLocation(bytes as Uint8Array)).toBeNull();
  },
);

test.each(formats)('a picture in %s that says no place is left alone', async (format) => {
  const plain = await pixels()
    .withExif({ IFD0: { Artist: 'Ada' } })
    .toFormat(format)
    .toBuffer();
  expect(withoutLocation(plain)).toBeNull();
});

test('nonsense and cut files are left alone', async () => {
  const original = await located('jpeg');
  for (let length = 0; length < original.length; length += 7) withoutLocation(original.subarray(0, length));
  expect(withoutLocation(Buffer.from('II*\0\xff\xff\xff\xff', 'latin1'))).toBeNull();
  expect(withoutLocation(new Uint8Array())).toBeNull();
});
