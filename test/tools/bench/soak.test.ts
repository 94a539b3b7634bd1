import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from '../../../tools/bench/soak/report.ts';
import { appendSample, readSamples, soakedSeconds } from '../../../tools/bench/soak/samples.ts';
import type { Sample } from '../../../tools/bench/soak/samples.ts';
import { memorySlope, tableGrowth } from '../../../tools/bench/soak/slopes.ts';

const folder = mkdtempSync(join(tmpdir(), 'presswork-soak-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Pieces of an hour each: a process that begins at 100 MB and grows, beside a table that grows on. */
const pieces = (count: number, perHour: number): Sample[] =>
  Array.from({ length: count * 60 }, (_, minute) => {
    const hours = ((minute % 60) + 1) / 60;
    const noise = ((minute * 7) % 5) - 2;
    return {
      piece: `2026-11-23T0${Math.floor(minute / 60)}:00:00.000Z`,
      seconds: hours * 3_600,
      memory: { worker: { resident: 400 + noise, alive: 100 + perHour * hours + noise / 10 } },
      tables: {
        events: { megabytes: 50 + (minute + 1) / 10, rows: minute },
        sites: { megabytes: 1, rows: 9 },
      },
      requests: 6_000,
      errors: 0,
      p99: 12,
    };
  });

test('what was sampled before a restart is continued, and a line that was cut off is left out', () => {
  const file = join(folder, 'samples.jsonl');
  expect(readSamples(file)).toEqual([]);
  const [first, second] = pieces(1, 0);
  appendSample(file, first!);
  appendSample(file, second!);
  writeFileSync(file, '{"piece":"2026-11-23T0', { flag: 'a' });
  expect(readSamples(file)).toEqual([first, second]);
  expect(soakedSeconds(pieces(3, 0))).toBe(3 * 3_600);
});

test('growth within the pieces is found, although each begins as low as the one before', () => {
  const slope = memorySlope(pieces(6, 5), 'worker', 'alive', 600);
  expect(slope.perHour).toBeCloseTo(5, 0);
  expect(slope.error).toBeLessThan(0.1);
  const flat = memorySlope(pieces(6, 0), 'worker', 'alive', 600);
  expect(Math.abs(flat.perHour)).toBeLessThan(0.2);
});

test('a table grows over all pieces on end', () => {
  const [fastest, other] = tableGrowth(pieces(6, 0));
  expect(fastest).toMatchObject({ table: 'events', rows: 359 });
  expect(fastest?.perHour).toBeCloseTo(6);
  expect(fastest?.perHourLater).toBeCloseTo(6);
  expect(other).toMatchObject({ table: 'sites', perHour: 0 });
});

test('the verdict: growth of what is alive is bad once two hours show it, and so is any error', () => {
  expect(report(pieces(6, 0), 600)).toMatchObject({ good: true, text: expect.stringContaining('is flat') });
  expect(report(pieces(6, 5), 600)).toMatchObject({ good: false, text: expect.stringContaining('GROWS') });
  expect(report(pieces(1, 5), 600)).toMatchObject({ good: true, text: expect.stringContaining('two hours') });
  const [first, ...others] = pieces(6, 0);
  expect(report([{ ...first!, errors: 1 }, ...others], 600).good).toBe(false);
});
