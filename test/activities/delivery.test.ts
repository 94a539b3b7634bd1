import { defaultRetryDelays } from '../../domain/webhooks/retry-schedule.ts';
import { verifyWebhook } from '../../net/webhook-signature.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookWorld } from '../support/webhooks.ts';

let world: WebhookWorld;

// A world for each test: what is frozen, paused or hanging in one must not show in another.
beforeEach(async () => {
  world = await startWebhooks();
});
afterEach(() => world.close());

const waiting = async (): Promise<any[]> =>
  (await world.api.db.pool.query('select * from webhook_queue order by due_at, event_id')).rows;

describe('one delivery', () => {
  test('carries the stored bytes and the specified headers, and its signature verifies', async () => {
    const receiver = await world.receiver();
    const { id, secret } = await world.endpoint(`${receiver.url}/hooks?token=a`);
    const [eventId] = await world.emit();
    await world.deliver(id);
    const [seen] = receiver.seen;
    const { rows } = await world.api.db.pool.query('select body from events where id = $1', [eventId]);
    expect(seen).toMatchObject({ method: 'POST', path: '/hooks?token=a', body: rows[0].body });
    const [row] = await world.attempts(id);
    expect(seen!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'svc-webhook/1',
      'service-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
      'service-timestamp': String(Math.floor(row.attempted_at.getTime() / 1_000)),
      'service-delivery': row.id,
      'service-attempt': '1',
      'service-event': 'article.published',
    });
    expect(verifyWebhook(seen!.body, seen!.headers, secret)).toEqual({ ok: true });
    expect(verifyWebhook(`${seen!.body} `, seen!.headers, secret).ok).toBe(false);
    expect(row).toMatchObject({
      status: 'succeeded',
      response_status: 200,
      error: null,
      next_attempt_at: null,
    });
    expect(await waiting()).toEqual([]);
  });

  test.each([200, 201, 202, 204, 299])('answered with %d has arrived', async (status) => {
    const { id } = await world.endpoint((await world.receiver(status)).url);
    await world.emit();
    await world.deliver(id);
    expect(await world.attempts(id)).toMatchObject([
      { status: 'succeeded', response_status: status, error: null },
    ]);
  });

  test.each([300, 304, 400, 404, 410, 429, 500, 503])(
    'answered with %d has failed, without a further cause',
    async (status) => {
      const { id } = await world.endpoint((await world.receiver(status)).url);
      await world.emit();
      await world.deliver(id);
      expect(await world.attempts(id)).toMatchObject([
        { status: 'failed', response_status: status, error: null },
      ]);
      expect(await waiting()).toMatchObject([{ attempt: 2, delivery_id: null }]);
    },
  );

  test('a cause says why there was no answer', async () => {
    const cut = await world.receiver((_, response) => void response.destroy());
    const plain = await world.receiver();
    const cases = {
      connection: cut.url,
      dns: 'https://unknown.example/',
      tls: plain.url.replace('http:', 'https:'),
    };
    for (const [error, url] of Object.entries(cases)) {
      const tenant = await world.newTenant();
      const { id } = await world.endpoint(url, {}, tenant.secretKey);
      await world.emit(1, tenant.siteId);
      await world.deliver(id);
      expect(await world.attempts(id)).toMatchObject([{ status: 'failed', error, response_status: null }]);
    }
  });

  test('a name that turned private since it was saved is not connected to', async () => {
    world.names.set('rebinding.example', ['93.184.216.34']);
    const { id } = await world.endpoint('https://rebinding.example/');
    world.names.set('rebinding.example', ['93.184.216.34', '127.0.0.1']);
    await world.emit();
    await world.deliver(id);
    expect(await world.attempts(id)).toMatchObject([{ status: 'failed', error: 'private_address' }]);
  });
});

describe('redirects', () => {
  const redirecting = (status: number, target: () => string) =>
    world.receiver((_, response) => void response.writeHead(status, { location: target() }).end());

  test.each([301, 302, 307, 308])(
    '%d repeats the POST once, with the same body and headers, as one attempt',
    async (status) => {
      const target = await world.receiver();
      const first = await redirecting(status, () => `${target.url}/moved`);
      const { id, secret } = await world.endpoint(first.url);
      await world.emit();
      await world.deliver(id);
      const [[before], [after]] = [first.seen, target.seen];
      expect(after).toMatchObject({ method: 'POST', path: '/moved', body: before!.body });
      for (const name of ['service-signature', 'service-timestamp', 'service-delivery', 'service-attempt'])
        expect(after!.headers[name]).toBe(before!.headers[name]);
      expect(verifyWebhook(after!.body, after!.headers, secret)).toEqual({ ok: true });
      expect(await world.attempts(id)).toMatchObject([
        { status: 'succeeded', response_status: 200, attempt: 1 },
      ]);
    },
  );

  test('303, a second redirect, and one to a private or plain target are failures, and reach nobody', async () => {
    const target = await world.receiver();
    const hidden = await world.receiver();
    world.allowedHosts.delete(`127.0.0.1:${hidden.port}`);
    const twice = await redirecting(307, () => target.url);
    const cases = [
      [await redirecting(303, () => target.url), 'redirect'],
      [await redirecting(307, () => twice.url), 'redirect'],
      [await redirecting(307, () => hidden.url.replace('http:', 'https:')), 'private_address'],
      [await redirecting(307, () => 'http://public.example/'), 'redirect'],
    ] as const;
    for (const [receiver, error] of cases) {
      const tenant = await world.newTenant();
      const { id } = await world.endpoint(receiver.url, {}, tenant.secretKey);
      await world.emit(1, tenant.siteId);
      await world.deliver(id);
      expect(await world.attempts(id)).toMatchObject([{ status: 'failed', error }]);
    }
    expect([target.seen.length, hidden.connections]).toEqual([0, 0]);
  });
});

describe('the schedule', () => {
  test('six attempts after the decided delays, each under its own id with the same bytes; then it is given up', async () => {
    const receiver = await world.receiver(500);
    const { id, secret } = await world.endpoint(receiver.url);
    world.clock.freeze();
    const [eventId] = await world.emit();
    for (const [index, delay] of [...defaultRetryDelays, null].entries()) {
      await world.deliver(id);
      expect(receiver.seen).toHaveLength(index + 1);
      const row = (await world.attempts(id)).at(-1);
      expect(row).toMatchObject({ event_id: eventId, attempt: index + 1, attempted_at: world.clock.now() });
      expect(
        verifyWebhook(receiver.seen.at(-1)!.body, receiver.seen.at(-1)!.headers, secret, {
          now: world.clock.now(),
        }).ok,
      ).toBe(true);
      if (delay === null) {
        expect(row.next_attempt_at).toBeNull();
        break;
      }
      const pause = row.next_attempt_at.getTime() - world.clock.now().getTime();
      expect(pause).toBeGreaterThanOrEqual(delay);
      expect(pause).toBeLessThanOrEqual(delay * 1.25);
      world.clock.advance(pause - 1);
      await world.deliver(id);
      expect(receiver.seen).toHaveLength(index + 1);
      world.clock.advance(1);
    }
    expect(await waiting()).toEqual([]);
    world.clock.advance(7 * 24 * 60 * 60_000);
    await world.deliver(id);
    expect(receiver.seen.map(({ headers }) => headers['service-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    expect(new Set(receiver.seen.map(({ body }) => body)).size).toBe(1);
    const ids = receiver.seen.map(({ headers }) => headers['service-delivery']);
    expect(new Set(ids).size).toBe(6);
    expect((await world.attempts(id)).map((row) => row.id)).toEqual(ids);
  });

  test('a retry goes to the address, and is signed with the secret, of that moment', async () => {
    const [old, moved] = [await world.receiver(500), await world.receiver()];
    const { id, secret } = await world.endpoint(old.url);
    await world.emit();
    await world.deliver(id);
    await world.request('PATCH', `/webhooks/${id}`, { url: moved.url });
    const rotated = (await world.request('POST', `/webhooks/${id}/rotate-secret`)).data.secret;
    world.clock.advance(12_500);
    await world.deliver(id);
    expect([old.seen.length, moved.seen.length]).toEqual([1, 1]);
    const [seen] = moved.seen;
    expect(seen!.body).toBe(old.seen[0]!.body);
    const now = { now: world.clock.now() };
    expect(verifyWebhook(seen!.body, seen!.headers, rotated, now)).toEqual({ ok: true });
    expect(verifyWebhook(seen!.body, seen!.headers, secret, now)).toEqual({
      ok: false,
      reason: 'signature_mismatch',
    });
  });

  test('what changes of the event afterwards changes none of its bytes', async () => {
    const receiver = await world.receiver(500);
    const { id } = await world.endpoint(receiver.url);
    const article = (
      await world.api.request('POST', '/articles', {
        key: world.tenant.secretKey,
        body: { title: 'Before', content: 'x' },
        idempotencyKey: true,
      })
    ).data;
    await world.request('POST', `/articles/${article.id}/publish`);
    await world.deliver(id);
    await world.request('PATCH', `/articles/${article.id}`, { title: 'After' });
    world.clock.advance(12_500);
    await world.deliver(id);
    const published = receiver.seen.filter(({ headers }) => headers['service-event'] === 'article.published');
    expect(published.map(({ body }) => JSON.parse(body).data.title)).toEqual(['Before', 'Before']);
    expect(published[1]!.body).toBe(published[0]!.body);
  });
});

describe('side by side', () => {
  test('an answer that never comes holds up no other, and is a timeout after ten seconds', async () => {
    const receiver = await world.receiver((_, response, count) => {
      if (count > 1) response.end();
    });
    const { id } = await world.endpoint(receiver.url);
    await world.emit(1);
    await world.session.run(id);
    await world.emit(60);
    const started = performance.now();
    for (let runs = 0; (await world.attempts(id)).length < 60; runs += 1) {
      expect(runs).toBeLessThan(20);
      await world.session.run(id);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
    await world.session.drain(15_000);
    const [slow] = (await world.attempts(id)).filter(({ status }) => status === 'failed');
    expect(slow).toMatchObject({ error: 'timeout', response_status: null, attempt: 1 });
    expect(slow.duration_ms).toBeGreaterThanOrEqual(9_900);
    expect(slow.duration_ms).toBeLessThan(11_000);
    // The workflow that had gone on without it is told.
    expect(world.woken).toContain(id);
  });

  test('endpoints that hang leave the live one alone', async () => {
    const dead = await world.receiver(() => {});
    const live = await world.receiver();
    const hanging = [];
    for (let count = 0; count < 9; count += 1) hanging.push((await world.endpoint(dead.url)).id);
    const { id } = await world.endpoint(live.url);
    await world.emit(40);
    const runs = hanging.map((each) => world.session.run(each));
    const started = performance.now();
    while ((await world.attempts(id)).length < 40) {
      expect(performance.now() - started).toBeLessThan(5_000);
      await world.session.run(id);
    }
    expect(live.seen).toHaveLength(40);
    await Promise.all(runs);
    for (const each of hanging) await world.request('DELETE', `/webhooks/${each}`);
  });

  test('an endpoint has at most 48 attempts under way', async () => {
    const open: (() => void)[] = [];
    let most = 0;
    const receiver = await world.receiver((_, response) => {
      open.push(() => response.end());
      most = Math.max(most, open.length);
      setTimeout(() => open.shift()?.(), 30);
    });
    const { id } = await world.endpoint(receiver.url);
    await world.emit(150);
    while ((await waiting()).length > 0) await world.session.run(id);
    expect(receiver.seen).toHaveLength(150);
    expect(most).toBeLessThanOrEqual(48);
    expect(most).toBeGreaterThan(10);
  });

  test('a process has at most its slots under way, over all endpoints', async () => {
    const { Slots } = await import('../../activities/delivery/slots.ts');
    const session = world.newSession({ slots: new Slots(6) });
    let [open, most] = [0, 0];
    const receiver = await world.receiver((_, response) => {
      most = Math.max(most, (open += 1));
      setTimeout(() => {
        open -= 1;
        response.end();
      }, 20);
    });
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await world.endpoint(receiver.url)).id);
    await world.emit(20);
    await eventually('everything is sent', async () => {
      await Promise.all(ids.map((id) => session.run(id)));
      return (await waiting()).length === 0;
    });
    expect(receiver.seen).toHaveLength(80);
    expect(most).toBeLessThanOrEqual(6);
  });

  test('what is announced while a run is under way is sent by that run', async () => {
    const receiver = await world.receiver((_, response) => void setTimeout(() => response.end(), 100));
    const { id } = await world.endpoint(receiver.url);
    expect(world.session.poke(id)).toBe(false);
    await world.emit();
    const run = world.session.run(id);
    await eventually('the first is sent', () => receiver.seen.length === 1);
    await world.emit();
    expect(world.session.poke(id)).toBe(true);
    await run;
    expect(receiver.seen).toHaveLength(2);
  });
});
