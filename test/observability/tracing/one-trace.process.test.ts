import { randomBytes } from 'node:crypto';
import { httpReceiver, closeReceivers } from '../../support/receivers.ts';
import { startApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';
import { buildArticle, buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { startTemporal } from '../../support/temporal.ts';
import type { TestTemporal } from '../../support/temporal.ts';
import { startTraceCollector } from '../../support/trace-collector.ts';
import type { CollectedSpan, TraceCollector } from '../../support/trace-collector.ts';
import { endWorkers, spawnApi, spawnWorker } from '../../worker/processes.ts';
import type { WorkerProcess } from '../../worker/processes.ts';

let stack: TestApi;
let tenant: Tenant;
let temporal: TestTemporal;
let collector: TraceCollector;
let receiver: Awaited<ReturnType<typeof httpReceiver>>;
let api: WorkerProcess & { origin: string };
let worker: WorkerProcess;

/** A client's text, which no span may contain. */
const title = `Title ${randomBytes(12).toString('hex')}`;
const token = randomBytes(12).toString('hex');

beforeAll(async () => {
  [stack, temporal, collector] = await Promise.all([startApi(), startTemporal(), startTraceCollector()]);
  tenant = await buildTenant(stack.db);
  receiver = await httpReceiver(({ path, headers }, response) => {
    const refused = path === '/at-first-failing' && headers['service-attempt'] === '1';
    response.writeHead(refused ? 500 : 204).end();
  });
  const settings = {
    databaseUrl: stack.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      WEBHOOK_RETRY_DELAYS: '100ms,100ms,1s,1s,1s',
      WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${receiver.port}`,
    },
  };
  [api, worker] = [await spawnApi(settings), spawnWorker(settings)];
  await Promise.all([api.working, worker.working]);
});
afterAll(async () => {
  endWorkers();
  await closeReceivers();
  await collector.close();
  await temporal.close();
  await stack.close();
});

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const url = `${api.origin}/v1${path}`;
  const answer = await stack.request(method, url, { key: tenant.secretKey, body, headers });
  expect(answer.status).toBeLessThan(300);
  return answer;
};

const sent = (): { traceId: string; spanId: string; traceparent: string } => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
};

const spansOf = (traceId: string): CollectedSpan[] =>
  collector.spans.filter((span) => span.traceId === traceId);

const named = (spans: readonly CollectedSpan[], name: string | RegExp): CollectedSpan[] =>
  spans.filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)));

/** Whether the parent of each span is there: processes send their spans at different times. */
const isComplete = (spans: readonly CollectedSpan[], root: string): boolean =>
  spans.every(
    ({ parentSpanId }) => parentSpanId === root || spans.some((span) => span.spanId === parentSpanId),
  );

/** The path from a span up to the request. */
function pathOf(spans: readonly CollectedSpan[], span: CollectedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? [span.name] : [span.name, ...pathOf(spans, parent)];
}

test('the client’s trace covers everything from scheduling an article to the webhook of its publication', async () => {
  const { traceId, spanId, traceparent } = sent();
  await call('POST', '/webhooks', { url: `${receiver.url}/${token}`, events: ['article.published'] });
  const article = await buildArticle(stack, tenant.secretKey, { title, content: 'Text.' });
  const body = { scheduled_publish_at: new Date(Date.now() + 1_500).toISOString() };
  const request = { traceparent, 'request-id': 'the-request-that-schedules' };
  await call('POST', `/articles/${article.id}/schedule`, body, request);
  await eventually('every span is collected', () => {
    const spans = spansOf(traceId);
    const isThere = (name: string): boolean => named(spans, name).length > 0;
    return (
      isThere('RunWorkflow:scheduledPublish') &&
      isThere('deliver webhook') &&
      named(spans, 'update articles').length === 1 &&
      isComplete(spans, spanId)
    );
  });
  const spans = spansOf(traceId);

  const known = new Set([spanId, ...spans.map((span) => span.spanId)]);
  expect(spans.filter((span) => !known.has(span.parentSpanId))).toEqual([]);
  expect(new Set(spans.map((span) => span.service))).toEqual(new Set(['presswork-api', 'presswork-worker']));

  const http = named(spans, 'POST /v1/articles/{id}/schedule');
  expect(http).toMatchObject([
    {
      parentSpanId: spanId,
      attributes: {
        'http.response.status_code': 200,
        request_id: 'the-request-that-schedules',
        site_id: tenant.siteId,
        key_id: expect.any(String),
      },
    },
  ]);
  const workflow_id = `scheduled-publish/${article.id}`;
  const [outbound] = named(spans, 'POST') as [CollectedSpan];
  expect(outbound).toMatchObject({ kind: 3, attributes: { 'http.response.status_code': 204 } });
  expect(pathOf(spans, outbound)).toEqual([
    'POST',
    'deliver webhook',
    'publish article',
    'POST /v1/articles/{id}/schedule',
  ]);
  // All that is due is written by the same statement, which is in no request's trace.
  expect(named(spans, 'publish article')).toMatchObject([
    { attributes: { article_id: article.id, site_id: tenant.siteId } },
  ]);
  expect(named(spans, 'RunWorkflow:scheduledPublish')).toMatchObject([{ attributes: { workflow_id } }]);
  expect(named(spans, /^relay /)).toMatchObject([{ attributes: { workflow_id, site_id: tenant.siteId } }]);

  const text = spans.map((span) => span.text).join('\n');
  for (const secret of [title, token, tenant.secretKey, '127.0.0.1']) expect(text).not.toContain(secret);
  expect(receiver.seen.at(-1)?.headers['traceparent']).toBeUndefined();
});

test('what is published at one second stays in the trace of each request that scheduled it', async () => {
  const events = ['article.published', 'article.updated'];
  await call('POST', '/webhooks', { url: `${receiver.url}/together`, events });
  const articles = await Promise.all(
    [1, 2, 3].map(() => buildArticle(stack, tenant.secretKey, { title, content: 'Text.' })),
  );
  const [live = { id: '' }, ...drafts] = articles;
  await call('POST', `/articles/${live.id}/publish`);
  await call('PATCH', `/articles/${live.id}/pending`, { excerpt: 'Changed.' });
  const due = new Date(Date.now() + 2_000).toISOString();
  const [edit, ...first] = articles.map(sent);
  await call('POST', `/articles/${live.id}/pending/schedule`, { scheduled_at: due }, edit);
  for (const [index, { id }] of drafts.entries())
    await call('POST', `/articles/${id}/schedule`, { scheduled_publish_at: due }, first[index]);
  // It is only changed, by a request in another trace.
  await call('PATCH', `/articles/${drafts[0]?.id}`, { excerpt: 'Changed.' }, sent());

  for (const [index, { traceId, spanId }] of [edit!, ...first].entries()) {
    const delivered = (): CollectedSpan[] => named(spansOf(traceId), 'deliver webhook');
    await eventually('it is delivered', () => delivered().length > 0 && isComplete(spansOf(traceId), spanId));
    const spans = spansOf(traceId);
    const name = index === 0 ? 'publish pending edit' : 'publish article';
    expect(named(spans, /^publish /)).toMatchObject([
      { name, attributes: { article_id: articles[index]?.id } },
    ]);
    const delivery = delivered().map((span) => pathOf(spans, span));
    expect(delivery.every((path) => path.includes(name))).toBe(true);
  }
});

test('each attempt stays in the trace of its request, even if one process delivers for many', async () => {
  await call('POST', '/webhooks', { url: `${receiver.url}/at-first-failing`, events: ['article.deleted'] });
  const traces = await Promise.all(
    [sent(), sent()].map(async ({ traceparent, ...trace }) => {
      const article = await buildArticle(stack, tenant.secretKey, { title, content: 'Text.' });
      await call('DELETE', `/articles/${article.id}`, undefined, { traceparent });
      return trace;
    }),
  );
  for (const { traceId, spanId } of traces) {
    await eventually(
      'both attempts are collected',
      () => named(spansOf(traceId), 'deliver webhook').length === 2 && isComplete(spansOf(traceId), spanId),
    );
    const spans = spansOf(traceId);
    const attempts = named(spans, 'deliver webhook');
    expect(attempts.map(({ attributes }) => Number(attributes['attempt'])).sort()).toEqual([1, 2]);
    for (const attempt of attempts)
      expect(pathOf(spans, attempt)).toEqual(['deliver webhook', 'transaction', 'DELETE /v1/articles/{id}']);
  }
});

test('a request starts a trace if the client sent none, and none if the client’s trace is not sampled', async () => {
  const { traceId, traceparent } = sent();
  const id = (name: string) => ({ 'request-id': name });
  await call('GET', '/ping', undefined, {
    ...id('unsampled'),
    traceparent: traceparent.replace(/01$/, '00'),
  });
  await stack.request('GET', `${api.origin}/healthz`, { headers: id('probe') });
  await call('GET', '/ping', undefined, {
    ...id('malformed'),
    traceparent: `${traceparent}, ${traceparent}`,
  });
  await stack.request('GET', `${api.origin}/v1/articles/${token}`, { headers: id('refused') });
  await call('GET', '/ping', undefined, id('plain'));

  const of = (name: string) => collector.spans.filter(({ attributes }) => attributes['request_id'] === name);
  await eventually('the last is collected', () => of('plain').length === 1);
  expect(of('unsampled')).toEqual([]);
  expect(of('probe')).toEqual([]);
  for (const name of ['malformed', 'refused', 'plain']) {
    expect(of(name)).toMatchObject([{ parentSpanId: '', traceId: expect.not.stringMatching(traceId) }]);
  }
  expect(of('refused')).toMatchObject([{ name: 'GET', attributes: { 'http.response.status_code': 401 } }]);
  expect(of('refused')[0]?.text).not.toContain(token);
  const plain = of('plain')[0]?.traceId as string;
  expect(named(spansOf(plain), 'authenticate')).toHaveLength(1);
  await eventually('its log line has the trace id', () => {
    const line = api
      .said()
      .split('\n')
      .find((each) => each.includes('"request_id":"plain"'));
    return line !== undefined && JSON.parse(line).trace_id === plain;
  });
});
