import { countSignIn } from '../../../domain/sign-in/attempts.ts';
import { createTestDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

const now = new Date('2030-01-01T12:00:00Z');
let own: TestDatabase;
beforeAll(async () => void (own = await createTestDatabase()));
afterAll(() => own.drop());

test('an IPv6 network may make twenty sign-in attempts a minute, whatever addresses it uses', async () => {
  const attempt = (address: string, index: number) =>
    countSignIn(own.db, { address, email: `person${index}@example.com`, device: null }, now);
  for (let index = 0; index < 20; index += 1) await attempt(`2001:db8:1:2:${index}::1`, index);
  await expect(attempt('2001:db8:1:2::ffff', 20)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  await attempt('2001:db8:1:3::1', 21);
});
