import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { verifyWebhook } from '../../sdk/src/index.ts';
import { attempt } from '../../activities/webhook-endpoint/attempt.ts';
import { Bodies } from '../../activities/webhook-endpoint/bodies.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { useApi } from '../support/api.ts';
import { buildArticle, buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { closeReceivers, httpReceiver } from '../support/receivers.ts';
import type { Receiver, Seen } from '../support/receivers.ts';
import { endCommands } from '../support/command.ts';
import { startListener } from './listener.ts';
import type { Listener } from './listener.ts';

const SECRET = `whsec_${'s'.repeat(43)}`;

const api = await useApi();
let tenant: Tenant;
let receiver: Receiver;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  receiver = await httpReceiver((_, response) => response.writeHead(200).end());
});
afterEach(async () => {
  await endCommands();
  await closeReceivers();
});

interface Options {
  readonly to?: string;
  readonly baseUrl?: string;
  readonly key?: string;
  readonly more?: readonly string[];
}

function start({ to, baseUrl, key, more = [] }: Options = {}): Listener {
  const forwardTo = to ?? `${receiver.url}/hook`;
  const api = baseUrl ?? base();
  return startListener(
    '--forward-to',
    forwardTo,
    '--key',
    key ?? tenant.secretKey,
    '--base-url',
    api,
    ...more,
  );
}

const base = (): string => `${api.origin}/v1`;

async function listening(options: Options = {}): Promise<Listener> {
  const listener = start(options);
  await eventually('it listens', () => listener.out().includes('Forwarding events'));
  return listener;
}

const idsOf = (seen: readonly Seen[]): string[] => seen.map(({ body }) => JSON.parse(body).id);

const eventIds = async (): Promise<string[]> => {
  const { data } = await api.request('GET', '/events?limit=100', { key: tenant.secretKey });
  return data.items.map(({ id }: { id: string }) => id).toReversed();
};

/** A proxy to the API that can misbehave: forwards every request that it is not told to answer. */
async function proxy(answer: (count: number) => { status: number; headers?: Record<string, string> } | null) {
  const passing = await httpReceiver((seen, response) => {
    const own = answer(passing.seen.length);
    if (own) return void response.writeHead(own.status, own.headers).end('{}');
    void fetch(`${api.origin}${seen.path}`, {
      headers: { authorization: String(seen.headers['authorization']) },
    }).then(async (got) =>
      response.writeHead(got.status, { 'content-type': 'application/json' }).end(await got.text()),
    );
  });
  return passing;
}

describe('what is forwarded', () => {
  test('are the events after the start, each once and in order, with the receiver’s status', async () => {
    await buildPublished(api, tenant.secretKey);
    const listener = await listening();
    for (let count = 0; count < 5; count += 1) await buildPublished(api, tenant.secretKey);
    await eventually('all have come', () => receiver.seen.length >= 5);
    // Two more polls, each of which finds the same events again.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const expected = (await eventIds()).slice(1);
    expect(idsOf(receiver.seen)).toEqual(expected);
    expect(listener.lines()).toHaveLength(5);
    listener.lines().forEach((line, index) => {
      expect(line).toMatch(/^\S+ {2}article\.published {2}\S+ {2}200 {2}\d+ ms$/);
      expect(line).toContain(expected[index]);
    });
  });

  test('has the bytes and the headers of a delivery', async () => {
    await listening({ more: ['--secret', SECRET] });
    const title = 'Über "日本" \u2028 \\ 🍞 <b>';
    await buildPublished(api, tenant.secretKey, {
      title,
      content: 'a\tb\r\n\u007f 1e21',
      faqs: [{ question: '1?', answer: '-0.0 \u00a0' }],
      comparison: { title: null, columns: ['10', '2'], rows: [{ label: '1', values: ['x', ''] }] },
    });
    await eventually('it has come', () => receiver.seen.length > 0);
    const { rows } = await api.db.pool.query('select * from events where site_id = $1', [tenant.siteId]);
    const [event] = rows;

    const box = createSecretBox(randomBytes(32));
    const http = createGuardedClient({ allowedHosts: new Set([`127.0.0.1:${receiver.port}`]) });
    await attempt(
      { db: api.db, http, box, clock: systemClock, bodies: new Bodies() },
      'endpoint',
      {
        delivery_id: randomUUID(),
        event_id: event.id,
        event: event.event,
        attempt: 1,
        redelivery: false,
        url: `${receiver.url}/hook`,
        secret: box.seal(SECRET, 'endpoint'),
        body: event.body,
        bytes: Buffer.byteLength(event.body),
        site_id: tenant.siteId,
        happened_at: event.created_at,
        traceparent: null,
        more: false,
      },
      { before: Promise.resolve(), begin: () => {}, mayBegin: () => true },
    );
    await http.close();

    const [forwarded, delivered] = receiver.seen as [Seen, Seen];
    expect(forwarded.body).toBe(event.body);
    expect(forwarded.body).toBe(delivered.body);
    expect(forwarded.path).toBe(delivered.path);
    expect(forwarded.method).toBe('POST');
    const own = [
      'service-signature',
      'service-timestamp',
      'service-delivery',
      'webhook-timestamp',
      'webhook-signature',
    ];
    const common = ({ headers }: Seen) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
    expect(Object.keys(forwarded.headers)).toEqual(Object.keys(delivered.headers));
    expect(common(forwarded)).toEqual(common(delivered));
    expect(common(forwarded)).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'svc-webhook/1',
      'service-attempt': '1',
      'service-event': 'article.published',
      'webhook-id': event.id,
    });
    expect(forwarded.headers['service-delivery']).toMatch(/^[0-9a-f-]{36}$/);
    expect(forwarded.headers['service-delivery']).not.toBe(event.id);
    expect(await verifyWebhook(forwarded.body, forwarded.headers, SECRET)).toEqual(
      JSON.parse(forwarded.body),
    );
  });

  test('is signed with a generated secret, which is shown, if none is given', async () => {
    const listener = await listening();
    await buildPublished(api, tenant.secretKey);
    await eventually('it has come', () => receiver.seen.length > 0);
    const secret = /^Signing secret: (whsec_[A-Za-z0-9]{43})$/m.exec(listener.out())?.[1];
    const [{ body, headers }] = receiver.seen as [Seen];
    expect(await verifyWebhook(body, headers, String(secret))).toEqual(JSON.parse(body));
    expect((await listening({ more: ['--secret', SECRET] })).out()).not.toContain('whsec_');
  });

  test('starts at --since, through every page, oldest first', async () => {
    await buildPublished(api, tenant.secretKey);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const since = new Date();
    const article = await buildPublished(api, tenant.secretKey);
    for (let count = 0; count < 105; count += 1) {
      const body = { excerpt: `Excerpt ${count}` };
      await api.request('PATCH', `/articles/${article.id}`, { key: tenant.secretKey, body });
    }
    await listening({ more: ['--since', since.toISOString()] });
    await eventually('all have come', () => receiver.seen.length >= 106);
    const { rows } = await api.db.pool.query(
      'select id from events where site_id = $1 and created_at >= $2 order by created_at, id',
      [tenant.siteId, since],
    );
    expect(idsOf(receiver.seen)).toEqual(rows.map(({ id }) => id));
  });

  test('is limited by --events', async () => {
    await listening({ more: ['--events', 'article.unpublished, article.deleted'] });
    const article = await buildPublished(api, tenant.secretKey);
    await api.request('POST', `/articles/${article.id}/unpublish`, { key: tenant.secretKey });
    await api.request('DELETE', `/articles/${article.id}`, { key: tenant.secretKey });
    await eventually('both have come', () => receiver.seen.length >= 2);
    expect(receiver.seen.map(({ headers }) => headers['service-event'])).toEqual([
      'article.unpublished',
      'article.deleted',
    ]);
  });

  test('includes an event that began before the start and was committed after it', async () => {
    const article = await buildArticle(api, tenant.secretKey, { title: 'Slow', content: 'Text.' });
    const id = randomUUID();
    const began = new Date(Date.now() - 10_000);
    await buildPublished(api, tenant.secretKey);
    await listening();
    const body = {
      id,
      event: 'article.published',
      created_at: began.toISOString(),
      data: { id: article.id },
    };
    await api.db.pool.query(
      'insert into events (id, site_id, event, created_at, body) values ($1, $2, $3, $4, $5)',
      [id, tenant.siteId, body.event, began, JSON.stringify(body)],
    );
    await eventually('it has come', () => receiver.seen.length > 0);
    expect(idsOf(receiver.seen)).toEqual([id]);
  });
});

describe('a receiver', () => {
  test('that fails or does not answer is reported, and still gets the next event', async () => {
    const answers: ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(500).end(),
      (response) => void response.socket?.destroy(),
      (response) => response.writeHead(204).end(),
    ];
    const moody = await httpReceiver((_, response) => answers[moody.seen.length - 1]?.(response));
    const listener = await listening({ to: moody.url });
    for (let count = 0; count < 3; count += 1) await buildPublished(api, tenant.secretKey);
    await eventually('three lines', () => listener.lines().length >= 3);
    const [first, second, third] = listener.lines();
    expect(first).toMatch(/ {2}500 {2}\d+ ms$/);
    expect(second).toMatch(/ {2}failed: connection \(.+\) {2}\d+ ms$/);
    expect(third).toMatch(/ {2}204 {2}\d+ ms$/);
    expect(moody.seen).toHaveLength(3);
  });
});

describe('an API', () => {
  test.each([429, 503])(
    'that answers %i is polled again after Retry-After, and nothing is lost',
    async (status) => {
      let refusedAt = 0;
      let askedAgainAt = 0;
      const busy = await proxy((count) => {
        if (count === 4) {
          refusedAt = Date.now();
          return { status, headers: { 'retry-after': '2' } };
        }
        if (count === 5) askedAgainAt = Date.now();
        return null;
      });
      const listener = await listening({ baseUrl: `${busy.url}/v1` });
      await eventually('it was refused', () => refusedAt > 0);
      await buildPublished(api, tenant.secretKey);
      await eventually('it has come', () => receiver.seen.length > 0);
      expect(askedAgainAt - refusedAt).toBeGreaterThanOrEqual(1_950);
      expect(listener.err()).toContain(`waiting 2 s, as requested by the API (${status})`);
    },
  );

  test('that becomes unavailable is polled until it is back', async () => {
    let away = false;
    const flaky = await proxy(() => (away ? { status: 502 } : null));
    const listener = await listening({ baseUrl: `${flaky.url}/v1` });
    away = true;
    await buildPublished(api, tenant.secretKey);
    await eventually('it is missed', () => listener.err().includes('cannot be reached'));
    away = false;
    await eventually('it has come', () => receiver.seen.length > 0);
    expect(listener.err()).toContain('is available again');
  });

  test('that cannot be reached at the start ends the command with 1', async () => {
    const listener = start({ baseUrl: 'http://127.0.0.1:10/v1' });
    expect(await listener.ended).toBe(1);
    expect(listener.err()).toContain('http://127.0.0.1:10/v1 cannot be reached (ECONNREFUSED)');
  });
});

test('Ctrl-C ends it at once with 0, even while a receiver has not answered', async () => {
  const hanging = await httpReceiver(() => {});
  const listener = await listening({ to: hanging.url });
  await buildPublished(api, tenant.secretKey);
  await eventually('it waits for the receiver', () => hanging.seen.length > 0);
  listener.interrupt();
  expect(await listener.ended).toBe(0);
  expect(listener.err()).toBe('');
});
