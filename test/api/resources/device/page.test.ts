import { operator } from '../../../../domain/audit/record.ts';
import { changeRole, removeMember } from '../../../../domain/organisations/organisations.ts';
import { endMaintenance, startMaintenance } from '../../../../domain/organisations/sites.ts';
import type { TestApi } from '../../../support/api.ts';
import {
  buildKey,
  buildOrganisation,
  buildPerson,
  buildSite,
  buildTenant,
} from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { poll, startDeviceSignIn, wrongCode } from '../../../support/device.ts';
import { PageVisitor } from '../../../support/page.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { Person, SignInStack } from '../../../support/sign-in.ts';

let stack: SignInStack;
let api: TestApi;
let clock: TestClock;
let tenant: Tenant;
let person: Person;
let visitor: PageVisitor;

beforeAll(async () => {
  stack = await startSignInStack();
  ({ api, clock } = stack);
});
beforeEach(async () => {
  ({ tenant, person, visitor } = await stack.nextCase());
});
afterAll(() => api.close());

const begin = (body: object = {}) => startDeviceSignIn(api, body);
const inTx = (work: Parameters<TestApi['db']['transaction']>[0]) => api.db.transaction(work);
const signIn = () => visitor.signIn(person.email, person.password);
const codeQuery = (code: string): string => `?user_code=${code}`;
const keysNamed = async (name: string) =>
  (
    await api.db.pool.query(
      `select k.site_id, k.member_id, k.scopes, k.held_by_agent from api_keys k join sites s on s.id = k.site_id
       where k.name = $1 and s.organisation_id = $2`,
      [name, tenant.organisationId],
    )
  ).rows;

test('a person signs in, sees the request and approves: the device gets its key, in the person’s name', async () => {
  const started = await begin({ client_name: 'Editor', scopes: ['articles:read', 'meta:read'] });
  const query = codeQuery(started.user_code);
  const first = await visitor.get(query);
  expect([first.status, first.title]).toEqual([200, 'Sign in']);
  expect(first.html).not.toContain('Editor');
  const signedIn = await visitor.post({ do: 'sign-in', ...person }, query);
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([
    303,
    `device?user_code=${started.user_code}`,
  ]);
  const asked = await visitor.get(query);
  expect([asked.status, asked.title]).toEqual([200, 'Give this device a key?']);
  const day = clock.now().toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const time = `<time datetime="${clock.now().toISOString()}">${day}`;
  for (const part of [
    'Editor',
    '127.0.0.1',
    time,
    'articles:read',
    'meta:read',
    started.user_code,
    person.email,
  ]) {
    expect(asked.html).toContain(part);
  }
  expect(asked.html).not.toContain('articles:write');
  expect((await poll(api, started)).data.status).toBe('authorization_pending');
  const done = await visitor.post({ do: 'approve', user_code: started.user_code, site_id: tenant.siteId });
  expect([done.status, done.title]).toEqual([200, 'Approved']);
  const { data } = await poll(api, started);
  expect([data.status, data.key.scopes]).toEqual(['approved', ['articles:read', 'meta:read']]);
  expect((await api.request('GET', '/site', { key: data.key.secret })).status).toBe(200);
  expect(await keysNamed('Editor')).toEqual([
    {
      site_id: tenant.siteId,
      member_id: person.memberId,
      scopes: ['articles:read', 'meta:read'],
      held_by_agent: false,
    },
  ]);
  const { rows } = await api.db.pool.query(
    `select action, actor_kind, actor_id, actor_name from audit_log where actor_kind = 'person' and actor_id = $1 order by id`,
    [person.memberId],
  );
  const actor = { actor_kind: 'person', actor_id: person.memberId, actor_name: person.email };
  expect(rows).toEqual([
    { action: 'sign_in.succeed', ...actor },
    { action: 'device_sign_in.approve', ...actor },
    { action: 'key.create', ...actor },
  ]);
});

test.each([
  [
    'removed',
    (member: string) => inTx((tx) => removeMember({ tx, actor: operator, now: clock.now() }, member)),
  ],
  [
    'demoted',
    (member: string) => inTx((tx) => changeRole({ tx, actor: operator, now: clock.now() }, member, 'editor')),
  ],
])(
  'a device gets no key if the person who approved it here was %s before the poll',
  async (_name, change) => {
    const started = await begin();
    await signIn();
    await visitor.get(codeQuery(started.user_code));
    const form = { do: 'approve', user_code: started.user_code, site_id: tenant.siteId };
    expect((await visitor.post(form)).title).toBe('Approved');
    await change(person.memberId);
    expect((await poll(api, started)).data).toEqual({ status: 'access_denied', interval: 5 });
  },
);

test('the page describes each scope, and warns that a key not held by an agent decides for agents', async () => {
  await signIn();
  const shown = async (body: object) =>
    (await visitor.get(codeQuery((await begin(body)).user_code))).html.replaceAll(/\s+/g, ' ');
  const html = await shown({ scopes: ['keys:write', 'meta:read'] });
  for (const said of [
    'remove members',
    'settings',
    'e-mail addresses',
    'Approve or deny requests of AI agents',
  ])
    expect(html).toContain(said);
  const ofAgent = await shown({ scopes: ['keys:write'], held_by_agent: true });
  expect(ofAgent).not.toContain('Approve or deny requests of AI agents');
});

test('a denial reaches the device, and a second decision is refused', async () => {
  const started = await begin({ held_by_agent: true });
  await signIn();
  const asked = await visitor.get(codeQuery(started.user_code.replace('-', '').toLowerCase()));
  expect(asked.html).toContain('an AI agent');
  const decision = { user_code: started.user_code, site_id: tenant.siteId };
  expect((await visitor.post({ do: 'deny', ...decision })).title).toBe('Denied');
  expect((await poll(api, started)).data.status).toBe('access_denied');
  const again = await visitor.post({ do: 'approve', ...decision });
  expect([again.status, again.html.includes('has been denied already')]).toEqual([409, true]);
  expect((await visitor.get(codeQuery(started.user_code))).status).toBe(409);
});

test('of concurrent decisions by page, key and colleague, one takes effect', async () => {
  const started = await begin();
  await signIn();
  await visitor.get();
  const form = { user_code: started.user_code, site_id: tenant.siteId };
  const statuses = await Promise.all([
    visitor.post({ do: 'approve', ...form }).then(({ status }) => status),
    visitor.post({ do: 'approve', ...form }).then(({ status }) => status),
    api
      .request('POST', '/auth/device/deny', { key: tenant.secretKey, body: { user_code: started.user_code } })
      .then(({ status }) => status),
  ]);
  expect(statuses.sort()).toEqual([200, 409, 409]);
});

test('a hostile name is shown as text, and cannot reorder or hide the text around it', async () => {
  const client_name =
    `<script>alert(1)</script>"'&\u202Egnp\u0000`.replace('\0', '') + '\n<img src=x onerror=1>';
  const started = await begin({ client_name });
  await signIn();
  const seen = [
    await visitor.get(codeQuery(started.user_code)),
    await visitor.get(codeQuery(encodeURIComponent('"><script>alert(1)</script>'))),
    await visitor.post({ do: 'approve', user_code: started.user_code, site_id: tenant.siteId }),
  ];
  expect(seen.map(({ status }) => status)).toEqual([200, 404, 200]);
  for (const { html } of seen) {
    expect(html).not.toMatch(/<script|<img|\u202E/);
    expect(html).toContain('&lt;script&gt;');
  }
});

describe('several Sites and organisations', () => {
  test('the person chooses one; without a choice nothing happens', async () => {
    const second = await buildSite(api.db, tenant.organisationId);
    const started = await begin({ client_name: 'Chooser' });
    await signIn();
    const { html } = await visitor.get(codeQuery(started.user_code));
    expect(
      [...html.matchAll(/type="radio" name="site_id" value="([^"]+)"/g)].map(([, id]) => id).sort(),
    ).toEqual([tenant.siteId, second].sort());
    const foreign = (await buildTenant(api.db)).siteId;
    for (const site_id of ['', 'x', foreign]) {
      const refused = await visitor.post({ do: 'approve', user_code: started.user_code, site_id });
      expect([refused.status, refused.html.includes('Choose the Site')]).toEqual([422, true]);
    }
    await visitor.post({ do: 'approve', user_code: started.user_code, site_id: second });
    expect((await poll(api, started)).data.status).toBe('approved');
    expect(await keysNamed('Chooser')).toMatchObject([{ site_id: second, member_id: person.memberId }]);
  });

  test('with one address in two organisations, the password decides which one; the same password signs in to both', async () => {
    const other = await buildTenant(api.db);
    const { email, password } = person;
    await buildPerson(api.db, other.organisationId, {
      email: email.toUpperCase(),
      password: 'Another password',
    });
    const sites = async () => {
      const { html } = await visitor.get(codeQuery((await begin()).user_code));
      return [...html.matchAll(/name="site_id" value="([^"]+)"/g)].map(([, id]) => id).sort();
    };
    await signIn();
    expect(await sites()).toEqual([tenant.siteId]);
    await visitor.signIn(email, 'Another password');
    expect(await sites()).toEqual([other.siteId]);
    const third = await buildTenant(api.db);
    const there = await buildPerson(api.db, third.organisationId, { email, password });
    await visitor.signIn(email, password);
    expect(await sites()).toEqual([tenant.siteId, third.siteId].sort());
    await inTx((tx) => removeMember({ tx, actor: operator, now: clock.now() }, there.memberId));
    expect(await sites()).toEqual([tenant.siteId]);
  });

  test('a person who may not manage keys is told so, and cannot decide', async () => {
    const started = await begin();
    await signIn();
    await inTx((tx) => changeRole({ tx, actor: operator, now: clock.now() }, person.memberId, 'editor'));
    const seen = await visitor.get(codeQuery(started.user_code));
    expect([seen.status, seen.html.includes('owner or admin')]).toEqual([403, true]);
    for (const action of ['approve', 'deny']) {
      const form = { do: action, user_code: started.user_code, site_id: tenant.siteId };
      expect((await visitor.post(form)).status).toBe(403);
    }
    expect((await poll(api, started)).data.status).toBe('authorization_pending');
  });

  test('the owner of an organisation without a Site is told so, too', async () => {
    const founder = await buildPerson(api.db, await buildOrganisation(api.db));
    await visitor.signIn(founder.email, founder.password);
    expect((await visitor.get(codeQuery((await begin()).user_code))).status).toBe(403);
  });
});

describe('codes', () => {
  test('a wrong one is reported at the field; the sixth in a minute is refused', async () => {
    const { user_code } = await begin();
    await signIn();
    expect((await visitor.get()).title).toBe('Sign a device in');
    for (let index = 0; index < 5; index += 1) {
      const wrong = wrongCode();
      const page = await visitor.get(codeQuery(wrong));
      expect([page.status, page.html.includes('role="alert"'), page.html.includes(wrong)]).toEqual([
        404,
        true,
        true,
      ]);
    }
    const refused = await visitor.get(codeQuery(user_code));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    const form = { do: 'approve', user_code, site_id: tenant.siteId };
    expect((await visitor.post(form)).status).toBe(429);
    clock.advance(60_000);
    expect((await visitor.get(codeQuery(user_code))).status).toBe(200);
    expect((await visitor.post(form)).status).toBe(200);
  });

  test('of concurrent wrong ones, no more than five are looked up', async () => {
    await signIn();
    const pages = await Promise.all(Array.from({ length: 12 }, () => visitor.get(codeQuery(wrongCode()))));
    expect(pages.map(({ status }) => status).sort()).toEqual([...Array(5).fill(404), ...Array(7).fill(429)]);
  });

  test('wrong ones block neither the same address in another organisation nor the person’s keys', async () => {
    const other = await buildTenant(api.db);
    const password = 'Another password';
    await buildPerson(api.db, other.organisationId, { email: person.email, password });
    const { secret } = await buildKey(api.db, tenant.siteId, person.memberId);
    const stranger = new PageVisitor(api);
    await stranger.signIn(person.email, password);
    for (let index = 0; index < 5; index += 1) await stranger.get(codeQuery(wrongCode()));
    expect((await stranger.get(codeQuery(wrongCode()))).status).toBe(429);

    await signIn();
    const first = (await begin()).user_code;
    expect((await visitor.get(codeQuery(first))).status).toBe(200);
    expect((await visitor.post({ do: 'approve', user_code: first, site_id: tenant.siteId })).status).toBe(
      200,
    );
    for (let index = 0; index < 5; index += 1) await visitor.get(codeQuery(wrongCode()));
    expect((await visitor.get(codeQuery(wrongCode()))).status).toBe(429);
    const byKey = { key: secret, body: { user_code: (await begin()).user_code } };
    expect((await api.request('POST', '/auth/device/approve', byKey)).status).toBe(200);
  });

  test('one that has expired in the meantime approves nothing', async () => {
    const started = await begin();
    await signIn();
    await visitor.get(codeQuery(started.user_code));
    clock.advance(900_000);
    const late = await visitor.post({ do: 'approve', user_code: started.user_code, site_id: tenant.siteId });
    expect([late.status, late.title]).toEqual([404, 'Sign a device in']);
  });

  test('during maintenance of the Site nothing is decided', async () => {
    const started = await begin();
    await signIn();
    await visitor.get();
    await inTx((tx) => startMaintenance({ tx, actor: operator, now: clock.now() }, tenant.siteId, 30));
    const form = { do: 'approve', user_code: started.user_code, site_id: tenant.siteId };
    const paused = await visitor.post(form);
    await inTx((tx) => endMaintenance({ tx, actor: operator, now: clock.now() }, tenant.siteId));
    expect([paused.status, paused.headers.get('retry-after')]).toEqual([503, '30']);
    expect((await visitor.post(form)).title).toBe('Approved');
  });
});

describe('the page itself', () => {
  test('is closed to frames, scripts, caches and other origins', async () => {
    const { headers, html } = await visitor.get();
    const policy = headers.get('content-security-policy')!;
    for (const part of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'none'",
    ]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toMatch(/unsafe|script-src/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('ratelimit-limit')).toBe('600');
    expect(html).not.toMatch(/<script|<style|\son\w+=|style=/);
  });

  test('each field has its label', async () => {
    const pages = [await visitor.get()];
    await signIn();
    pages.push(await visitor.get());
    for (const { html } of pages) {
      for (const [, id] of html.matchAll(/<input\s[^>]*?id="([^"]+)"/g))
        expect(html).toContain(`for="${id}"`);
      expect(html).toMatch(/<html lang="en">/);
    }
  });

  test('its style sheet is served; other methods and paths are refused', async () => {
    const style = await api.request('GET', `${api.origin}/sign-in/style.css`);
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    const put = await api.request('PUT', `${api.origin}/device`);
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect((await api.request('GET', `${api.origin}/device/`)).status).toBe(401);
    // A stranger is led to the sign-in.
    expect((await api.request('HEAD', `${api.origin}/device`)).status).toBe(303);
    const head = await api.request('HEAD', `${api.origin}/sign-in`);
    expect([head.status, head.text]).toEqual([200, '']);
  });
});
