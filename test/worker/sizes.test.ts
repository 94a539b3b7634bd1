import { readFileSync } from 'node:fs';
import { sizesOf } from '../../worker/sizes.ts';

/** V8's limit of a worker as it is shipped. */
const HEAP = 408 * 2 ** 20;

test('by default a worker has 16 connections, 120 workflows and 1,024 attempts', () => {
  expect(sizesOf(16, HEAP)).toEqual({
    connections: 12,
    patientConnections: 4,
    workflows: 48,
    webhookWorkflows: 72,
    activities: 96,
    attempts: 1_024,
    limitedByHeap: false,
  });
});

test('half the connections make half of everything', () => {
  expect(sizesOf(8, HEAP)).toMatchObject({
    connections: 6,
    patientConnections: 2,
    workflows: 24,
    webhookWorkflows: 36,
    activities: 48,
    attempts: 512,
  });
});

test('more workflows than the heap holds are not cached', () => {
  const { workflows, webhookWorkflows, limitedByHeap } = sizesOf(64, HEAP);
  expect([workflows + webhookWorkflows, limitedByHeap]).toEqual([121, true]);
  expect(sizesOf(64, 2 ** 30)).toMatchObject({ limitedByHeap: false, workflows: 192, webhookWorkflows: 288 });
});

test('a worker with the fewest connections still has some of everything', () => {
  for (const count of Object.values(sizesOf(1, 64 * 2 ** 20)).filter((value) => typeof value === 'number'))
    expect(count).toBeGreaterThan(0);
});

test('docs/capacity.md has the numbers of the code', () => {
  const document = readFileSync(new URL('../../docs/capacity.md', import.meta.url), 'utf8');
  for (const poolSize of [8, 16, 32]) {
    const sizes = sizesOf(poolSize, 4 * 2 ** 30);
    const cells = [
      poolSize,
      sizes.connections,
      sizes.patientConnections,
      sizes.workflows,
      sizes.webhookWorkflows,
      sizes.activities,
      sizes.attempts,
    ].map((value) => value.toLocaleString('en'));
    const row = document
      .split('\n')
      .find((line) => line.startsWith('|') && line.split('|')[1]?.trim() === cells[0]);
    expect(
      row
        ?.split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ).toEqual(cells);
  }
});
