import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sharp } from 'sharp';
import { flat, noise } from '../../support/images.ts';

const LIMIT_MB = 200;

/** Inspects a file in its own process, and reports the peak memory that this added, including the file. */
const program = `
  import { readFileSync, writeFileSync } from 'node:fs';
  import sharp from 'sharp';
  import { inspectImage } from ${JSON.stringify(new URL('../../../adapters/images/inspect-image.ts', import.meta.url).href)};
  const megabytes = (name) => Number(new RegExp(name + ':\\\\s+(\\\\d+)').exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1000;
  await inspectImage("site", await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } }).png().toBuffer());
  const before = megabytes('VmRSS');
  writeFileSync('/proc/self/clear_refs', '5');
  const found = await inspectImage("site", readFileSync(process.argv[1]));
  console.log(JSON.stringify({ found, peak: megabytes('VmHWM') - before }));`;

const folder = mkdtempSync(join(tmpdir(), 'presswork-images-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function inspectInProcess(bytes: Buffer): Promise<{ found: object; peak: number }> {
  const file = join(folder, 'image');
  writeFileSync(file, bytes);
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    program,
    file,
  ]);
  return JSON.parse(stdout) as { found: object; peak: number };
}

const W = 12_000;
const H = 8_300;

/** 99.6 megapixels unless stated otherwise, and the largest images that are decoded as a whole. */
const images: readonly (readonly [string, () => Sharp, width: number])[] = [
  ['a JPEG', () => flat(W, H).jpeg(), W],
  ['a progressive JPEG', () => flat(W, H).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }), W],
  [
    'a progressive JPEG of 25 MP',
    () => flat(5_000, 4_990).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
    5_000,
  ],
  ['a PNG', () => flat(W, H).png(), W],
  ['an interlaced PNG', () => flat(W, H, 4).png({ progressive: true }), W],
  [
    'an interlaced PNG of 18 MP, 16 bits',
    () => flat(5_000, 3_740, 4).toColourspace('rgb16').png({ progressive: true }),
    5_000,
  ],
  ['a WebP with alpha', () => flat(W, H, 4).webp({ effort: 0 }), W],
  ['a lossless WebP', () => flat(W, H).webp({ lossless: true, effort: 0 }), W],
  ['a GIF', () => flat(W, H).gif({ effort: 1 }), W],
  ['a GIF of 34 MP', () => flat(7_000, 4_860).gif({ effort: 1 }), 7_000],
  ['an AVIF of 30 MP', () => flat(6_000, 4_990).avif({ effort: 0, chromaSubsampling: '4:2:0' }), 6_000],
  ['an AVIF of 7.5 MP', () => noise(3_000, 2_490).avif({ effort: 0, quality: 30 }), 3_000],
  [
    'an AVIF of 5.7 MP, 12 bits',
    () => noise(3_000, 1_920).avif({ effort: 0, quality: 30, bitdepth: 12 }),
    3_000,
  ],
];

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux.each(images)('%s is inspected within 200 MB', async (_name, make, width) => {
  const { found, peak } = await inspectInProcess(await make().toBuffer());
  expect(found).toMatchObject({ width });
  expect(peak).toBeLessThan(LIMIT_MB);
});
