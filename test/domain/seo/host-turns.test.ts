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
  const begun = performance.now();
  const waits = await Promise.all(Array.from({ length: 20 }, () => takeHostTurn(database.db, 'one.example')));
  const sorted = waits.map(Number).toSorted((one, other) => one - other);
  // Between the first and the last question some time has passed.
  const elapsed = performance.now() - begun;
  for (const [at, wait] of sorted.entries()) {
    expect(wait).toBeLessThanOrEqual(at * 525 + 5);
    expect(wait).toBeGreaterThanOrEqual(at * 525 - elapsed);
  }
});

test('no second has three requests, however late they are and however many ask', async () => {
  // When each is sent by the database's clock.
  await database.db.pool.query(`
    create table sent_requests (at timestamptz not null);
    create function note_sent() returns trigger language plpgsql security definer as $$
      begin insert into sent_requests values (new.sent_at); return null; end $$;
    create trigger note_sent after update of sent_at on scan_host_turns for each row execute function note_sent()`);
  const send = async (at: number): Promise<void> => {
    const host = 'late.example';
    let waitMs = await takeHostTurn(database.db, host);
    // Every third process is late for its turn.
    await sleep((waitMs ?? 0) + (at % 3 === 0 ? 400 : 0));
    while ((waitMs = await beginHostTurn(database.db, host)) > 0) await sleep(waitMs);
  };
  await Promise.all(Array.from({ length: 5 }, (_, at) => send(at)));
  for (let at = 5; at < 9; at += 1) await send(at);
  const { rows } = await database.db.pool.query<{ at: Date }>('select at from sent_requests order by at');
  const sent = rows.map(({ at }) => at.getTime());
  expect(sent).toHaveLength(9);
  for (const [at, time] of sent.slice(2).entries())
    expect(time - (sent[at] ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test('another host does not wait', async () => {
  for (let count = 0; count < 5; count += 1) await takeHostTurn(database.db, 'busy.example');
  expect(await takeHostTurn(database.db, 'idle.example')).toBeLessThanOrEqual(5);
});

test('a host with too many waiting gives no turn, and takes none away by that', async () => {
  const begun = performance.now();
  const turns = await Promise.all(
    Array.from({ length: 100 }, () => takeHostTurn(database.db, 'full.example')),
  );
  const taken = turns.filter((turn) => turn !== null);
  expect(taken.length).toBeGreaterThanOrEqual(38);
  // As many as fit into 20 s, and into the time that the questions took.
  const elapsed = performance.now() - begun;
  expect(taken.length).toBeLessThanOrEqual((20_000 + elapsed) / 525 + 1);
  expect(Math.max(...taken)).toBeLessThanOrEqual(20_525);
});

test('turns that are long over are deleted', async () => {
  await takeHostTurn(database.db, 'past.example');
  const later = new Date(Date.now() + 2 * 3_600_000);
  expect(await database.db.transaction((tx) => deletePastHostTurns(tx, new Date(), 100))).toBe(0);
  expect(await database.db.transaction((tx) => deletePastHostTurns(tx, later, 100))).toBeGreaterThan(0);
});
