import { randomUUID } from 'node:crypto';
import { recordFindings } from '../../domain/seo/record-findings.ts';
import type { TestApi } from './api.ts';
import { ask, buildAgent } from './approvals.ts';
import { buildArticle, buildKey, buildMember, buildPublished } from './builders.ts';
import type { Tenant } from './builders.ts';
import { connectionWrite } from './connection-write.ts';
import { noise } from './images.ts';
import { registerUpload, uploadBytes } from './uploads.ts';

/** A Site, and objects that its owner's requests create in it. */
export interface Home {
  readonly api: TestApi;
  readonly tenant: Tenant;
  readonly send: (method: string, path: string, body?: object) => Promise<any>;
}

let sequence = 0;

/** A unique name. */
export const name = (): string => `Made ${(sequence += 1)}`;

export const blueprint = {
  requires: ['faqs'],
  sections: [{ heading: 'Basics', guidance: 'Say what it is.' }],
};
export const channelWrite = {
  kind: 'slack',
  name: 'Editors',
  url: 'https://receiver.example/services/T0/B0/token',
};
export const hook = { url: 'https://receiver.example/hooks', events: ['article.published'] };
export const newKey = { kind: 'secret', scopes: ['articles:read'] };

export const article = ({ api, tenant }: Home): Promise<any> =>
  buildArticle(api, tenant.secretKey, { title: name(), content: 'Text.' });
export const published = ({ api, tenant }: Home): Promise<any> => buildPublished(api, tenant.secretKey);
export const scheduled = async (home: Home): Promise<any> => {
  const { id } = await article(home);
  return home.send('POST', `/articles/${id}/schedule`, { scheduled_publish_at: '2999-01-01T00:00:00Z' });
};
/** A published article with a pending edit. */
export const edited = async (home: Home): Promise<any> => {
  const made = await published(home);
  await home.send('PATCH', `/articles/${made.id}/pending`, { title: name() });
  return made;
};
/** A link from another site to an article. */
export const backlink = async (home: Home): Promise<any> => {
  const source = `https://news.example.org/${encodeURIComponent(name())}`;
  const csv = `source_url,target_url\n${source},https://blog.example.com/`;
  await home.send('POST', '/seo/backlinks/import', { csv });
  return (await home.send('GET', '/seo/backlinks')).items[0];
};
/** A bulk job that waits for a worker. */
export const bulkJob = async (home: Home): Promise<any> =>
  home.send('POST', '/articles/bulk', { action: 'publish', article_ids: [(await article(home)).id] });
export const uploaded = async ({ api, tenant }: Home): Promise<string> => {
  const image = new Uint8Array(await noise(4, 4).png().toBuffer());
  return uploadBytes(api, tenant.secretKey, image, { content_type: 'image/png' });
};
export const asset = async (home: Home): Promise<any> =>
  (await registerUpload(home.api, home.tenant.secretKey, await uploaded(home))).data;
export const comment = async (home: Home, moderation = 'none'): Promise<any> => {
  const { slug } = await published(home);
  await home.send('PATCH', '/comments/settings', { enabled: true, moderation });
  const body = { slug, body: name(), author_name: 'Ada', author_email: 'ada@example.com' };
  await home.send('POST', '/comments', body);
  return (await home.send('GET', '/comments?limit=1')).items[0];
};
export const keyOf = ({ api, tenant }: Home, heldByAgent = false): Promise<{ id: string }> =>
  buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['articles:read'], heldByAgent });
export const member = ({ api, tenant }: Home): Promise<string> =>
  buildMember(api.db, tenant.organisationId, 'editor');
export const endpoint = (home: Home): Promise<any> => home.send('POST', '/webhooks', hook);
export const connection = (home: Home): Promise<any> =>
  home.send('POST', '/delivery/connections', { ...connectionWrite, name: name() });
export const channel = (home: Home): Promise<any> =>
  home.send('POST', '/notifications/channels', { ...channelWrite, name: name() });
/** A push that waits for a worker. */
export const push = async (home: Home): Promise<any> => {
  const { id: connectionId } = await connection(home);
  const { id: articleId } = await article(home);
  return home.send('POST', '/delivery/cms/push', { connection_id: connectionId, article_ids: [articleId] });
};
export const event = async (home: Home): Promise<any> => {
  await published(home);
  return (await home.send('GET', '/events?limit=1')).items[0];
};
export const delivery = async (home: Home): Promise<{ endpointId: string; id: string; eventId: string }> => {
  const { id: endpointId } = await endpoint(home);
  const { id: eventId } = await event(home);
  const id = randomUUID();
  await home.api.db.pool.query(
    `insert into webhook_deliveries
       (id, endpoint_id, event_id, event, attempt, status, response_status, duration_ms, attempted_at, redelivery)
     values ($1, $2, $3, 'article.published', 1, 'failed', 500, 5, now(), false)`,
    [id, endpointId, eventId],
  );
  return { endpointId, id, eventId };
};
export const approval = async ({ api, tenant }: Home): Promise<string> => {
  const options = { body: { name: name(), ...newKey }, idempotencyKey: true as const };
  const agent = await buildAgent(api, tenant);
  return ask(api, agent.secret, { method: 'POST', path: '/keys', options });
};
export const planItem = (home: Home, body: object = {}): Promise<any> =>
  home.send('POST', '/content-plan', { title: `How to plan: ${name()}`, ...body });
/** A scan that waits for a worker. */
export const scan = async (home: Home): Promise<any> => {
  await published(home);
  return home.send('POST', '/seo/scans/on-page');
};
export const finding = async (home: Home): Promise<any> => {
  const { id: scanId } = await scan(home);
  const { id: articleId } = await article(home);
  const fault = { rule: 'thin-content', subject: articleId, url: null, articleId, evidence: {} } as const;
  const scanned = { id: scanId, site_id: home.tenant.siteId, kind: 'on-page' } as const;
  await home.api.db.transaction((tx) =>
    recordFindings(tx, scanned, { faults: [fault], lookedAt: [] }, new Date()),
  );
  return (await home.send('GET', `/seo/findings?article_id=${articleId}`)).items[0];
};
export const run = (home: Home): Promise<any> =>
  home.send('POST', '/pipeline/runs', { topics: [{ title: `How to bake: ${name()}` }] });
export const inPipeline = async (home: Home, status: 'discovered' | 'failed'): Promise<string> => {
  const { id } = await article(home);
  await home.api.db.pool.query('update articles set status = $2 where id = $1', [id, status]);
  return id;
};
