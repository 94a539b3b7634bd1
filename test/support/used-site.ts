import { chargeCredits } from '../../domain/billing/charge.ts';
import type { TestApi } from './api.ts';
import { ask, buildAgent } from './approvals.ts';
import { buildArticle, buildTerm } from './builders.ts';
import type { Tenant } from './builders.ts';
import * as home from './home.ts';
import type { Home } from './home.ts';

/** A name that nothing breaks by itself. */
export const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(5);
/** “An introduction to green tea”. */
export const RIGHT_TO_LEFT = 'مقدمة في الشاي الأخضر';

/** The addresses of what a Site has, below the address of the Site. */
export interface UsedSite {
  readonly published: string;
  readonly edited: string;
  readonly run: string;
  readonly approval: string;
  readonly change: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly event: string;
  readonly push: string;
  readonly bulkJob: string;
  readonly image: string;
  /** Of the Site itself. */
  readonly format: string;
  /** A month with a scheduled article. */
  readonly calendar: string;
}

/** Puts something on every screen: long names, names from right to left, and what has failed. */
export async function furnishSite(api: TestApi, tenant: Tenant): Promise<UsedSite> {
  const { secretKey: key, siteId } = tenant;
  const send: Home['send'] = async (method, path, body) => {
    const answer = await api.request(method, path, { key, body, idempotencyKey: true });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  const at: Home = { api, tenant, send };
  const formats: { id: string }[] = [];
  for (const name of [LONG.slice(0, 100), RIGHT_TO_LEFT]) {
    const category = await buildTerm(api, key, 'categories', { name });
    const author = await buildTerm(api, key, 'authors', { name });
    await buildTerm(api, key, 'tags', { name });
    await buildArticle(api, key, { title: name, category_id: category.id, author_id: author.id });
    await home.planItem(at, { title: name, author_id: author.id });
    const ownKey = `own-${category.slug.split('-')[0].slice(0, 20)}`;
    await send('POST', '/notifications/channels', { ...home.channelWrite, name });
    formats.push(await send('POST', '/content-types', { name, blueprint: home.blueprint, key: ownKey }));
  }
  await buildArticle(api, key, { title: LONG });
  await send('PATCH', '/pipeline/prompts/classify', { template: `${'word '.repeat(100)}${LONG} {{title}}` });
  const { scheduled_publish_at: scheduledAt } = await home.scheduled(at);
  const { id: imageId } = await home.asset(at);
  await home.finding(at);
  await home.backlink(at);
  const edited = await home.edited(at);
  const published = await home.published(at);
  const remarks = `/articles/${edited.id}`;
  await send('POST', `${remarks}/review`, {
    reviewer_ids: [tenant.memberId],
    note: RIGHT_TO_LEFT,
    due_date: scheduledAt.slice(0, 10),
  });
  for (const body of [LONG, RIGHT_TO_LEFT]) await send('POST', `${remarks}/notes`, { body, quote: 'e' });
  await send('PATCH', '/comments/settings', { enabled: true, moderation: 'hold_all' });
  for (const [author_name, body] of [
    [RIGHT_TO_LEFT, RIGHT_TO_LEFT],
    [LONG.slice(0, 80), LONG],
  ])
    await send('POST', '/comments', {
      slug: published.slug,
      body,
      author_name,
      author_email: 'a@example.com',
    });
  const agent = (await buildAgent(api, tenant)).secret;
  const deletion = { method: 'DELETE', path: `/articles/${published.id}`, options: {} };
  const approval = await ask(api, agent, deletion);
  const { id: webhookId } = await home.endpoint(at);
  const options = { body: { url: 'https://receiver.example/elsewhere' }, idempotencyKey: true as const };
  const change = await ask(api, agent, { method: 'PATCH', path: `/webhooks/${webhookId}`, options });
  const delivery = await home.delivery(at);
  const push = await home.push(at);
  const { id: runId } = await home.run(at);
  const unit = { siteId, runId, articleId: published.id, stage: 'generate', cost: 10 };
  await api.db.transaction((tx) => chargeCredits(tx, unit, new Date()));
  await api.db.pool.query('update webhook_endpoints set consecutive_failures = 3 where site_id = $1', [
    siteId,
  ]);
  await api.db.pool.query('update channels set last_error = $2 where site_id = $1', [
    siteId,
    'The channel could not be reached: dns (the name has no address).',
  ]);
  await api.db.pool.query('update cms_connections set last_error = $2 where site_id = $1', [
    siteId,
    'The repository could not be reached: dns (the name has no address).',
  ]);
  return {
    published: `/articles/${published.id}`,
    edited: `/articles/${edited.id}`,
    run: `/runs/${runId}`,
    approval: `/approvals/${approval}`,
    change: `/approvals/${change}`,
    webhook: `/webhooks/${delivery.endpointId}`,
    delivery: `/webhooks/${delivery.endpointId}?event=${delivery.eventId}`,
    event: `/events?event=${delivery.eventId}`,
    push: `/delivery?push=${push.id}`,
    bulkJob: `/bulk/${(await home.bulkJob(at)).id}`,
    image: `/media?image=${imageId}`,
    format: `/formats-and-prompts?format=${formats[0]?.id}`,
    calendar: `/calendar?on=${scheduledAt.slice(0, 10)}`,
  };
}
