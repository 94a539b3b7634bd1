import { setTimeout as sleep } from 'node:timers/promises';
import { beginHostTurn, deletePastHostTurns, takeHostTurn } from '../../../domain/seo/host-turns.ts';
import { createTestDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the requests to a host have turns half a second apart, whoever asks for them', async () => {
  const waits = await Promise.all(Array.from({ length: 20 }, () => takeHostTurn(database.db, 'one.example')));
  const sorted = waits.map(Number).toSorted((one, other) => one - other);
  // Between the first and the last question some time has passed.
  for (const [at, wait] of sorted.entries()) {
    expect(wait).toBeLessThanOrEqual(at * 525 + 5);
    expect(wait).toBeGreaterThan(at * 525 - 2_000);
  }
});

test('no second has three requests, however late they are and however many ask', async () => {
  const sent: number[] = [];
  const send = async (at: number): Promise<void> => {
    const host = 'late.example';
    let waitMs = await takeHostTurn(database.db, host);
    // Every third process is late for its turn.
    await sleep((waitMs ?? 0) + (at % 3 === 0 ? 400 : 0));
    while ((waitMs = await beginHostTurn(database.db, host)) > 0) await sleep(waitMs);
    sent.push(performance.now());
  };
  await Promise.all(Array.from({ length: 5 }, (_, at) => send(at)));
  for (let at = 5; at < 9; at += 1) await send(at);
  expect(sent).toHaveLength(9);
  for (const [at, time] of sent.slice(2).entries())
    expect(time - (sent[at] ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test('another host does not wait', async () => {
  for (let count = 0; count < 5; count += 1) await takeHostTurn(database.db, 'busy.example');
  expect(await takeHostTurn(database.db, 'idle.example')).toBeLessThanOrEqual(5);
});

test('a host with too many waiting gives no turn, and takes none away by that', async () => {
  const turns = await Promise.all(
    Array.from({ length: 100 }, () => takeHostTurn(database.db, 'full.example')),
  );
  const taken = turns.filter((turn) => turn !== null);
  expect(taken.length).toBeGreaterThanOrEqual(38);
  expect(taken.length).toBeLessThan(60);
  expect(Math.max(...taken)).toBeLessThanOrEqual(20_525);
});

test('turns that are long over are deleted', async () => {
  await takeHostTurn(database.db, 'past.example');
  const later = new Date(Date.now() + 2 * 3_600_000);
  expect(await database.db.transaction((tx) => deletePastHostTurns(tx, new Date(), 100))).toBe(0);
  expect(await database.db.transaction((tx) => deletePastHostTurns(tx, later, 100))).toBeGreaterThan(0);
});
