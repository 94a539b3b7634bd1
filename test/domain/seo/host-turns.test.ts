import { deletePastHostTurns, takeHostTurn } from '../../../domain/seo/host-turns.ts';
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
    expect(wait).toBeLessThanOrEqual(at * 500 + 5);
    expect(wait).toBeGreaterThan(at * 500 - 2_000);
  }
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
  expect(taken.length).toBeGreaterThanOrEqual(40);
  expect(taken.length).toBeLessThan(60);
  expect(Math.max(...taken)).toBeLessThanOrEqual(20_500);
});

test('turns that are long over are deleted', async () => {
  await takeHostTurn(database.db, 'past.example');
  const later = new Date(Date.now() + 2 * 3_600_000);
  expect(await database.db.transaction((tx) => deletePastHostTurns(tx, new Date(), 100))).toBe(0);
  expect(await database.db.transaction((tx) => deletePastHostTurns(tx, later, 100))).toBeGreaterThan(0);
});
