import { createClientAddress } from '../../../../api/http/client-address.ts';
import { parseNetworks } from '../../../../runtime/networks.ts';
import { folded, foldAddress } from '../../../../domain/sign-in/address.ts';
import {
  passwordChecks,
  WAITING_LIMIT,
  WAITING_OF_NETWORK,
} from '../../../../domain/sign-in/password-queue.ts';
import { sql } from '../../../../db/sql.ts';
import { z } from 'zod';
import { useApi } from '../../../support/api.ts';
import { buildPerson, buildTenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';
import { eventually } from '../../../support/eventually.ts';
import { PageVisitor } from '../../../support/page.ts';

const clock = new TestClock();
clock.freeze();
const api = await useApi(
  { clock, clientAddress: createClientAddress(parseNetworks('127.0.0.1')) },
  { ownDatabase: 'other files count the same addresses of clients, at later times' },
);
const { organisationId } = await buildTenant(api.db);

/** Occupies the only slot. @returns releases it */
function holdTurn(): () => Promise<void> {
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const turn = passwordChecks.run('the test', () => held);
  return () => {
    release();
    return turn;
  };
}

let places = 0;
/** A browser with the page open, by default in its own network. */
async function browser(address = `192.0.2.${(places += 1)}`): Promise<PageVisitor> {
  const visitor = new PageVisitor(api, { 'x-forwarded-for': address });
  await visitor.get();
  return visitor;
}
const form = (email: string, password: string) => ({ do: 'sign-in', email, password });

describe('passwords that wait to be checked', () => {
  test('are limited in number: one more gets Retry-After, and neither is one lost nor does it count as wrong', async () => {
    const person = await buildPerson(api.db, organisationId);
    const visitors = await Promise.all(Array.from({ length: WAITING_LIMIT + 1 }, () => browser()));
    const last = visitors.pop() as PageVisitor;
    const release = holdTurn();
    const waiting = visitors.map((visitor, index) =>
      visitor.post(form(`nobody${index}@example.com`, 'Password of nobody')),
    );
    await eventually('the queue is full', async () => passwordChecks.waiting === WAITING_LIMIT);
    for (let tries = 0; tries < 6; tries += 1) {
      const refused = await last.post(form(person.email, person.password));
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    }
    await release();
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(422);
    expect((await last.post(form(person.email, person.password))).status).toBe(303);
  });

  test('of one network leave most of the queue to others, however many of its addresses are used', async () => {
    const person = await buildPerson(api.db, organisationId);
    const network = await Promise.all(
      Array.from({ length: WAITING_OF_NETWORK + 1 }, (_, index) => browser(`2001:db8:1:2::${index + 1}`)),
    );
    const [last] = network.splice(-1) as [PageVisitor];
    const other = await browser('2001:db8:1:3::1');
    const release = holdTurn();
    const waiting = network.map((visitor, index) =>
      visitor.post(form(`stranger${index}@example.com`, 'Password of a stranger')),
    );
    await eventually('its part is full', async () => passwordChecks.waiting === WAITING_OF_NETWORK);
    // The attempts of a new minute are counted from zero.
    clock.advance(60_000);
    const refused = await last.post(form('one.more@example.com', 'Password of a stranger'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    const admitted = other.post(form(person.email, person.password));
    await eventually('the other one waits', async () => passwordChecks.waiting === WAITING_OF_NETWORK + 1);
    await release();
    expect((await admitted).status).toBe(303);
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(422);
  });

  test('leave the queue when the connection closes', async () => {
    const visitor = await browser();
    const release = holdTurn();
    const gone = new AbortController();
    const body = new URLSearchParams({ form_token: visitor.formToken, ...form('a@example.com', 'x') });
    const waiting = fetch(`${api.origin}/sign-in`, {
      method: 'POST',
      body,
      headers: { cookie: visitor.cookie, origin: api.origin },
      signal: gone.signal,
    });
    await eventually('it waits', async () => passwordChecks.waiting === 1);
    gone.abort();
    await expect(waiting).rejects.toThrow();
    await eventually('it has left', async () => passwordChecks.waiting === 0);
    await release();
  });
});

describe('an address', () => {
  const spellings = [
    'Ada@Example.COM',
    'İDA@example.com',
    'ıda@example.com',
    'i̇da@example.com',
    'ẞ',
    'ΑΣ',
    '\u212A',
    'Ǆ',
  ];

  test.each(spellings)(
    '%s is case-folded in the same way by the process, which counts it, and by the database',
    async (email) => {
      const { value } = await api.db.one(sql.type(z.object({ value: z.string() }))`
      select ${folded(sql.fragment`${email}::text`)} as value`);
      expect(value).toBe(foldAddress(email));
    },
  );

  test('with look-alike letters is a different one, and each has its own five attempts', async () => {
    const person = await buildPerson(api.db, organisationId, { email: 'inka.kim@example.com' });
    for (const email of ['İnka.kim@example.com', 'ınka.kim@example.com', 'inka.\u212Aim@example.com'])
      expect((await (await browser()).post(form(email, person.password))).status).toBe(422);
    const statuses = [];
    for (const email of ['inka.kim@example.com', 'INKA.KIM@EXAMPLE.COM', ' Inka.kim@example.com '])
      for (const password of ['Password of someone else', 'Another password'])
        statuses.push((await (await browser('192.0.2.254')).post(form(email, password))).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });
});
