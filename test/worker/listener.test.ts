import { pino } from 'pino';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createWire } from '../support/temporal.ts';
import { listen } from '../../worker/listener.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a silent connection is noticed and replaced, and notifications arrive again', async () => {
  const url = new URL(database.url);
  const wire = await createWire(url.host);
  url.host = wire.address;
  const heard: string[] = [];
  const listener = listen(url.href, pino({ level: 'silent' }), {
    presswork_outbox: (payload) => heard.push(payload),
    presswork_schedules: () => {},
    presswork_webhooks: () => {},
  });
  const announced = (payload: string): Promise<void> =>
    eventually(`${payload} arrives`, async () => {
      await database.db.pool.query('select pg_notify($1, $2)', ['presswork_outbox', payload]);
      return heard.includes(payload);
    });
  await announced('before');
  wire.silence();
  await eventually('the silence is noticed', () => listener.pid() === null);
  // The old connection stays silent.
  await wire.open();
  await announced('after');
  listener.close();
  await wire.cut();
});
