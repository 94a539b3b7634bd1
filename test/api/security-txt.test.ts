import { useApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';

const clock = new TestClock();
clock.freeze(new Date('2030-01-01T12:00:00Z'));
const api = await useApi({ clock, securityContact: 'mailto:security@example.com' });
const silent = await useApi({});
const path = '/.well-known/security.txt';

test('security.txt names the contact of the operator, and until when it holds', async () => {
  const answer = await api.request('GET', api.origin + path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(answer.text).toBe(
    `Contact: mailto:security@example.com\nExpires: 2030-06-30T00:00:00.000Z\nCanonical: ${api.origin}${path}\nPreferred-Languages: en, de\n`,
  );
});

test('without a contact there is none', async () => {
  const { secretKey: key } = await buildTenant(silent.db);
  expect((await silent.request('GET', silent.origin + path, { key })).status).toBe(404);
});
