import { openApiDocument } from '../../../../api/openapi.ts';
import { operations } from '../../../../api/operations.ts';
import { eventBodies } from '../../../../api/resources/webhooks/event-bodies.ts';
import { webhookRequest } from '../../../../adapters/http/webhook-request.ts';
import { catalogue, eventNames } from '../../../../domain/events/catalogue.ts';
import { useApi } from '../../../support/api.ts';
import { buildPublished, buildTenant } from '../../../support/builders.ts';
import { PublishedSchemas } from '../../../support/published-schemas.ts';
import { validRequest } from '../../../support/valid-requests.ts';

type Json = Record<string, any>;

const document = openApiDocument(operations, '/v1') as Json;
const webhooks = document['webhooks'] as Json;
const published = new PublishedSchemas(document['components'].schemas as Json);
const api = await useApi();

test('the document describes each event, and the ping', () => {
  expect(Object.keys(webhooks).sort()).toEqual([...eventNames, 'ping'].sort());
  const ids = Object.values(webhooks).map(({ post }: Json) => post.operationId as string);
  expect(ids).toContain('onPipelineRunFinished');
  expect(new Set([...ids, ...operations.map(({ id }) => id)]).size).toBe(ids.length + operations.length);
});

test('every header of a delivery is described', () => {
  const attempt = {
    id: '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11',
    url: 'https://example.com/',
    event_id: '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a12',
    event: 'ping',
    attempt: 1,
    body: '{}',
    secret: 'whsec_c2VjcmV0',
    at: new Date(),
  };
  const sent = Object.keys(webhookRequest(attempt as never).headers ?? {});
  for (const { post } of Object.values(webhooks) as Json[]) {
    const described = (post['parameters'] as Json[]).map(({ name }) => name as string);
    expect(['Content-Type', 'User-Agent', ...described]).toEqual(expect.arrayContaining(sent));
  }
});

test.each(Object.entries(eventBodies))('the example of %s is valid', (event, body) => {
  const { schema, example } = webhooks[event].post.requestBody.content['application/json'];
  expect(schema.$ref).toMatch(/Event$/);
  expect(example.event).toBe(event);
  body.parse(example);
  expect(published.mistakes(schema as Json, example)).toBeNull();
});

test('every event that is always recorded has the described body, also after its reader was erased', async () => {
  const tenant = await buildTenant(api.db);
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.data;
  };
  const { id, slug } = await buildPublished(api, tenant.secretKey, { excerpt: 'One' });
  await must('PATCH', '/comments/settings', { enabled: true });
  const reader = { author_name: 'Grace', author_email: 'grace@example.com' };
  await must('POST', '/comments', { slug, body: 'Well said', ...reader });
  const cancelling = await validRequest(api, tenant, 'POST /pipeline/runs/:id/cancel');
  await must('POST', cancelling.path);
  const scan = await must('POST', '/seo/scans/on-page');
  await must('POST', `/seo/scans/${scan.id}/cancel`);
  const before = (await must('GET', '/events')).items as Json[];
  await must('POST', '/comments/erase', { author_email: reader.author_email });
  await must('PATCH', `/articles/${id}`, { title: 'Changed' });
  await must('POST', `/articles/${id}/unpublish`);
  await api.request('DELETE', `/articles/${id}`, { key: tenant.secretKey });
  const events = [...before, ...((await must('GET', '/events')).items as Json[])];
  const always = Object.entries(catalogue).flatMap(([name, event]) => ('always' in event ? [name] : []));
  expect([...new Set(events.map(({ event }) => event as string))].sort()).toEqual(always.sort());
  expect(events.filter(({ data }) => data.author_name === null)).toHaveLength(1);
  for (const event of events) {
    eventBodies[event['event']]?.parse(event);
    const { schema } = webhooks[event['event']].post.requestBody.content['application/json'];
    expect(published.mistakes(schema as Json, event)).toBeNull();
  }
});
