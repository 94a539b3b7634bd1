import { randomUUID } from 'node:crypto';
import { createAutopilotActivities } from '../../../../activities/autopilot.ts';
import { operator } from '../../../../domain/audit/record.ts';
import { applySubscription, endGrace, findSubscription } from '../../../../domain/billing/subscription.ts';
import { systemClock } from '../../../../domain/kernel/clock.ts';
import { eraseMember } from '../../../../domain/leaving/erase-member.ts';
import { removeMember } from '../../../../domain/organisations/organisations.ts';
import { publishDueEdit } from '../../../../domain/pending-edits/publish.ts';
import { endRun } from '../../../../domain/pipeline/run-lifecycle.ts';
import { endScan } from '../../../../domain/seo/scan-lifecycle.ts';
import { createLink } from '../../../../domain/sign-in/links.ts';
import { removeSecondFactor } from '../../../../domain/sign-in/second-factor.ts';
import { ask, buildAgent } from '../../../support/approvals.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import {
  buildArticle,
  buildKey,
  buildMember,
  buildPerson,
  buildPublished,
  buildTenant,
} from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';
import { connectionWrite } from '../../../support/connection-write.ts';
import { silent } from '../../../support/temporal.ts';

const clock = new TestClock();
const api = await useApi({ clock });
let tenant: Tenant;
/** The members of the organisation, by role. */
let people: Record<string, string>;

beforeEach(async () => {
  clock.advance(60_000);
  tenant = await buildTenant(api.db);
  people = { owner: tenant.memberId };
  for (const role of ['admin', 'editor', 'author', 'contributor', 'viewer'] as const)
    people[role] = await buildMember(api.db, tenant.organisationId, role);
  await buildTenant(api.db);
});

const call = (method: string, path: string, body?: unknown, key = tenant.secretKey): Promise<Answer> =>
  api.request(method, path, { key, body, idempotencyKey: true });
const keyOf = async (role: string, heldByAgent = false): Promise<string> =>
  (await buildKey(api.db, tenant.siteId, people[role] as string, { heldByAgent })).secret;

/** The roles of those who were told of a kind, one for each time. */
async function told(kind: string): Promise<string[]> {
  const { rows } = await api.db.pool.query(
    `select m.id from notifications n join members m on m.id = n.member_id
     where n.kind = $1 and m.organisation_id = $2`,
    [kind, tenant.organisationId],
  );
  return rows.map(({ id }) => Object.keys(people).find((role) => people[role] === id) ?? 'nobody').toSorted();
}
const forget = (): Promise<unknown> => api.db.pool.query('delete from notifications');
const gated = { method: 'POST', path: '/keys' };
const newKey = { name: 'One', kind: 'secret', scopes: ['articles:read'] };

describe('of the work', () => {
  test('approval.requested: who may decide, the person of the agent too', async () => {
    await ask(api, await keyOf('owner', true), { ...gated, options: { body: newKey, idempotencyKey: true } });
    expect(await told('approval.requested')).toEqual(['admin', 'owner']);
  });

  test('who was removed is told nothing', async () => {
    const act = { actor: operator, now: new Date() };
    await api.db.transaction((tx) => removeMember({ ...act, tx }, people['admin'] as string));
    await ask(api, await keyOf('owner', true), { ...gated, options: { body: newKey, idempotencyKey: true } });
    expect(await told('approval.requested')).toEqual(['owner']);
  });

  test('comment.held: moderators, once an hour while unread, and again once it is read', async () => {
    const { slug } = await buildPublished(api, tenant.secretKey);
    await call('PATCH', '/comments/settings', { enabled: true, moderation: 'hold_all' });
    const comment = (): Promise<Answer> =>
      call('POST', '/comments', { slug, body: `Text ${randomUUID()}`, author_name: 'Ada' });
    await comment();
    await comment();
    expect(await told('comment.held')).toEqual(['admin', 'editor', 'owner']);
    await call('POST', '/notifications/read', { before: '2999-01-01T00:00:00Z' });
    await comment();
    expect(await told('comment.held')).toEqual(['admin', 'editor', 'owner', 'owner']);
    clock.advance(60 * 60_000 + 1);
    await comment();
    expect(await told('comment.held')).toEqual([
      'admin',
      'admin',
      'editor',
      'editor',
      'owner',
      'owner',
      'owner',
    ]);
    await forget();
    const held = await Promise.all(Array.from({ length: 8 }, comment));
    expect(held.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await told('comment.held')).toEqual(['admin', 'editor', 'owner']);
    await call('PATCH', '/comments/settings', { moderation: 'none' });
    await forget();
    await comment();
    expect(await told('comment.held')).toEqual([]);
  });

  test('publication.failed: who scheduled the pending edit that could not be published', async () => {
    const { id } = await buildPublished(api, tenant.secretKey, { title: 'Live' });
    const path = `/articles/${id}/pending`;
    const author = await keyOf('author');
    await call('PATCH', path, { title: 'Edited' });
    const time = new Date(clock.now().getTime() + 60_000).toISOString();
    await call('POST', `${path}/schedule`, { scheduled_at: time }, author);
    await call('PATCH', `/articles/${id}`, { title: 'Changed meanwhile' });
    const later = new Date(clock.now().getTime() + 120_000);
    const ports = { db: api.db, purger: null, byWorkflow: true } as const;
    const due = () => api.db.transaction((tx) => publishDueEdit(tx, ports, id, later));
    expect(await due()).toBe('conflict');
    expect(await told('publication.failed')).toEqual(['author']);
    expect(await due()).toBe('not due');
    expect(await told('publication.failed')).toEqual(['author']);
    const [one] = (await call('GET', '/notifications', undefined, author)).data.items;
    expect(one.text).toContain('“Changed meanwhile”');
    expect(one.url).toBe(`${api.origin}/dashboard/${tenant.siteId}/articles/${id}`);
  });

  test('publication.failed: the reviewers of the edit, too', async () => {
    const { id } = await buildPublished(api, tenant.secretKey, { title: 'Live' });
    const path = `/articles/${id}/pending`;
    await call('PATCH', path, { title: 'Edited' });
    await call('POST', `/articles/${id}/review`, { reviewer_ids: [people['editor']] });
    const time = new Date(clock.now().getTime() + 60_000).toISOString();
    await call('POST', `${path}/schedule`, { scheduled_at: time }, await keyOf('author'));
    await call('PATCH', `/articles/${id}`, { title: 'Changed meanwhile' });
    const later = new Date(clock.now().getTime() + 120_000);
    const ports = { db: api.db, purger: null, byWorkflow: true } as const;
    await api.db.transaction((tx) => publishDueEdit(tx, ports, id, later));
    expect(await told('publication.failed')).toEqual(['author', 'editor']);
  });

  test('review.requested: the reviewers, else all who may publish, but not who asks', async () => {
    const { id } = await buildArticle(api, tenant.secretKey, { title: 'Rye' });
    await call('POST', `/articles/${id}/review`);
    expect(await told('review.requested')).toEqual(['admin', 'author', 'editor']);
    await call('DELETE', `/articles/${id}/review`);
    await forget();
    await call('POST', `/articles/${id}/review`, { reviewer_ids: [people['editor'], people['owner']] });
    expect(await told('review.requested')).toEqual(['editor']);
    const [one] = (await call('GET', '/notifications', undefined, await keyOf('editor'))).data.items;
    expect(one.text).toContain('“Rye”');
    expect(one.url).toBe(`${api.origin}/dashboard/${tenant.siteId}/articles/${id}`);
  });

  test.each([
    ['approve', undefined, 'was approved'],
    ['request-changes', { note: 'Shorter, please.' }, 'needs changes'],
  ])('review.decided, by %s: who asked for it', async (decision, body, text) => {
    const { id } = await buildArticle(api, tenant.secretKey, { title: 'Rye' });
    const author = await keyOf('author');
    await call('POST', `/articles/${id}/review`, undefined, author);
    expect(
      (await call('POST', `/articles/${id}/review/${decision}`, body, await keyOf('editor'))).status,
    ).toBe(200);
    expect(await told('review.decided')).toEqual(['author']);
    const { items } = (await call('GET', '/notifications', undefined, author)).data;
    expect(items[0].text).toContain(text);
  });

  test('note.mentioned and note.replied: each person once, and not the writer', async () => {
    const { id } = await buildArticle(api, tenant.secretKey);
    const path = `/articles/${id}/notes`;
    const author = await keyOf('author');
    const note = (
      await call('POST', path, { body: 'Why?', mention_ids: [people['author'], people['editor']] }, author)
    ).data;
    expect(await told('note.mentioned')).toEqual(['editor']);
    const reply = { body: 'Because.', parent_id: note.id };
    await call('POST', path, reply, await keyOf('editor'));
    expect(await told('note.replied')).toEqual(['author']);
    await forget();
    await call('POST', path, { ...reply, mention_ids: [people['author']] });
    expect(await told('note.mentioned')).toEqual(['author']);
    expect(await told('note.replied')).toEqual(['editor']);
  });

  test('note.replied: nobody of their agent’s reply, if they have written nothing else there', async () => {
    const { id } = await buildArticle(api, tenant.secretKey);
    const path = `/articles/${id}/notes`;
    const note = (await call('POST', path, { body: 'Why?' }, await keyOf('author'))).data;
    const agent = await keyOf('editor', true);
    await call('POST', path, { body: 'Because.', parent_id: note.id }, agent);
    expect(await told('note.replied')).toEqual(['author']);
    await call('POST', path, { body: 'And so.', parent_id: note.id }, agent);
    expect(await told('note.replied')).toEqual(['author', 'author', 'editor']);
  });

  test('pipeline_run.finished and seo_scan.finished: who started it, not who cancelled it', async () => {
    const editor = await keyOf('editor');
    const run = async (key: string): Promise<string> =>
      (await call('POST', '/pipeline/runs', { topics: [{ title: 'How to bake bread' }] }, key)).data.id;
    const end = (id: string) => api.db.transaction((tx) => endRun(tx, tenant.siteId, id, null, clock.now()));
    const first = await run(editor);
    await end(first);
    await end(first);
    expect(await told('pipeline_run.finished')).toEqual(['editor']);
    await forget();
    await call('POST', `/pipeline/runs/${await run(editor)}/cancel`, undefined, editor);
    expect(await told('pipeline_run.finished')).toEqual([]);
    await call('POST', `/pipeline/runs/${await run(editor)}/cancel`);
    expect(await told('pipeline_run.finished')).toEqual(['editor']);

    await buildPublished(api, tenant.secretKey);
    const scan = (await call('POST', '/seo/scans/on-page', undefined, editor)).data.id;
    await api.db.transaction((tx) => endScan(tx, scan, null, clock.now()));
    expect(await told('seo_scan.finished')).toEqual(['editor']);
  });

  test('autopilot.refused: who manages the settings, one that is unread', async () => {
    await call('PATCH', '/content-plan/autopilot', { enabled: true, weekdays: ['mon'], time: '09:00' });
    const { fireAutopilot } = createAutopilotActivities({
      db: api.db,
      clock: systemClock,
      log: silent,
      writer: { name: 'offline' },
      schedules: { keep: async () => {}, remove: async () => {} },
    });
    const fire = () => fireAutopilot({ siteId: tenant.siteId, id: randomUUID() });
    await fire();
    await fire();
    expect(await told('autopilot.refused')).toEqual(['admin', 'owner']);
    await call('POST', '/notifications/read', { before: '2999-01-01T00:00:00Z' });
    await fire();
    await fire();
    expect(await told('autopilot.refused')).toEqual(['admin', 'owner', 'owner']);
  });

  test('billing.problem: who manages the billing, once for a renewal that fails', async () => {
    const id = `sub_${randomUUID()}`;
    const seen = async (status: string): Promise<void> => {
      const values = {
        id,
        plan: 'pro' as const,
        status,
        cancelAtPeriodEnd: false,
        currentPeriodEnd: new Date(clock.now().getTime() + 86_400_000),
        toldAt: clock.now(),
      };
      const before = await findSubscription(api.db, id);
      await api.db.transaction((tx) =>
        applySubscription(tx, tenant.organisationId, before, values, clock.now()),
      );
    };
    await seen('active');
    expect(await told('billing.problem')).toEqual([]);
    await seen('past_due');
    await seen('past_due');
    expect(await told('billing.problem')).toEqual(['admin', 'owner']);
    const later = new Date(clock.now().getTime() + 365 * 86_400_000);
    await api.db.transaction((tx) => endGrace(tx, id, later));
    await api.db.transaction((tx) => endGrace(tx, id, later));
    expect(await told('billing.problem')).toEqual(['admin', 'admin', 'owner', 'owner']);
  });
});

describe('of security, whoever did it', () => {
  test('security.key_created: owner and admins', async () => {
    await forget();
    await call('POST', '/keys', newKey);
    expect(await told('security.key_created')).toEqual(['admin', 'owner']);
  });

  test('security.connection_changed and security.webhook_created: owner and admins', async () => {
    const { id } = (await call('POST', '/delivery/connections', connectionWrite)).data;
    await call('PATCH', `/delivery/connections/${id}`, { name: 'Other' });
    await call('DELETE', `/delivery/connections/${id}`);
    expect(await told('security.connection_changed')).toEqual([
      'admin',
      'admin',
      'admin',
      'owner',
      'owner',
      'owner',
    ]);
    await call('POST', '/webhooks', { url: 'https://receiver.example/hooks', events: ['article.published'] });
    expect(await told('security.webhook_created')).toEqual(['admin', 'owner']);
  });

  test('security.reset_link and security.two_factor_off: the person', async () => {
    const { memberId } = await buildPerson(api.db, tenant.organisationId, { role: 'editor' });
    people['editor'] = memberId;
    const act = { actor: operator, now: clock.now() };
    await api.db.transaction((tx) => createLink(tx, memberId, 'password', clock.now()));
    // A first password is not a new one.
    await api.db.transaction((tx) => createLink(tx, people['viewer'] as string, 'password', clock.now()));
    expect(await told('security.reset_link')).toEqual(['editor']);
    await api.db.pool.query(
      `insert into second_factors (member_id, secret, created_at, confirmed_at) values ($1, '', now(), now())`,
      [memberId],
    );
    await api.db.transaction((tx) => removeSecondFactor({ ...act, tx }, memberId));
    await api.db.transaction((tx) => removeSecondFactor({ ...act, tx }, memberId));
    expect(await told('security.two_factor_off')).toEqual(['editor']);
  });
});

test('what a person was told is erased with them', async () => {
  const { memberId, email } = await buildPerson(api.db, tenant.organisationId, { role: 'admin' });
  people['erased'] = memberId;
  await call('POST', '/keys', newKey);
  expect(await told('security.key_created')).toContain('erased');
  const request = { confirm: email, by: 'the operator' };
  await api.db.transaction((tx) => eraseMember({ tx, actor: operator, now: clock.now() }, memberId, request));
  expect(await told('security.key_created')).not.toContain('erased');
});

test('an agent is told nothing of its own', async () => {
  const agent = await buildAgent(api, tenant);
  expect((await call('GET', '/notifications', undefined, agent.secret)).status).toBe(403);
});
