import { eventually } from '../../support/eventually.ts';
import { runbook, wholeRunbook } from '../../support/runbook.ts';
import { valueOf } from '../../support/exposition.ts';
import type { Sample } from '../../support/exposition.ts';
import { listQueries, readAlerts, readDocument, readLegends, readRecorded } from './queries.ts';
import { unanswered } from './promql.ts';
import { startMetrics } from './stack.ts';
import type { MetricsStack } from './stack.ts';

let stack: MetricsStack;
/** The samples of API and worker after the traffic. */
let ofApi: readonly Sample[];
let ofWorker: readonly Sample[];
let ofCutOff: readonly Sample[];

beforeAll(async () => {
  stack = await startMetrics();
  await stack.makeTraffic();
  await eventually(
    'everything is counted',
    async () => {
      ofWorker = await stack.scrapeWorker();
      return (
        ['webhook_attempts_in_flight', 'webhook_queue_waiting', 'outbox_waiting', 'deletions_waiting'].every(
          (name) => valueOf(ofWorker, `presswork_${name}`) === 0,
        ) &&
        (valueOf(ofWorker, 'presswork_webhook_endpoints_disabled_total') ?? 0) === 1 &&
        (valueOf(ofWorker, 'temporal_workflow_task_execution_failed_total') ?? 0) > 0 &&
        (valueOf(ofWorker, 'presswork_workflows_ended_badly', { status: 'timed_out' }) ?? 0) > 0
      );
    },
    100,
  );
  // No request is answered 500 by itself: it takes a defect, such as a missing table.
  await stack.api.db.pool.query('alter table tags rename to tags_that_were');
  expect((await stack.request('GET', '/tags')).status).toBe(500);
  // What a busy machine does not read in time is missing from a scrape.
  await eventually('the API reads database and storage', async () => {
    ofApi = await stack.scrapeApi();
    return (
      reaches(ofApi, 'database') &&
      reaches(ofApi, 'storage') &&
      valueOf(ofApi, 'presswork_deletions_waiting') === 0
    );
  });
  await stack.wire.cut();
  expect((await stack.cutOffRequest('/articles')).status).toBe(503);
  await eventually('the other API reads storage', async () => {
    ofCutOff = await stack.scrapeCutOff();
    return reaches(ofCutOff, 'storage');
  });
});
afterAll(() => stack.close());

const reaches = (samples: readonly Sample[], dependency: string): boolean =>
  valueOf(samples, 'presswork_dependency_reachable', { dependency }) === 1;
const requests = (operation: string, status: number): number | undefined =>
  valueOf(ofApi, 'presswork_http_requests_total', { operation, status: String(status) });
const durations = (operation: string, outcome: string): number | undefined =>
  valueOf(ofApi, 'presswork_http_request_duration_seconds_count', { operation, outcome });

describe('requests', () => {
  test('are counted by their declared operation and status, also if they were refused', () => {
    expect(requests('GET /articles', 200)).toBeGreaterThanOrEqual(1);
    expect(requests('GET /articles', 401)).toBe(1);
    expect(requests('GET /articles/{id}', 404)).toBe(1);
    expect(requests('POST /articles', 422)).toBe(1);
    expect(requests('POST /articles', 201)).toBe(3);
    expect(durations('GET /articles', 'refused')).toBe(1);
    expect(durations('POST /articles', 'ok')).toBe(3);
  });

  test('that failed, and those answered 503, are distinguished from refused ones', () => {
    expect(requests('GET /tags', 500)).toBe(1);
    expect(durations('GET /tags', 'failed')).toBe(1);
    expect(valueOf(ofApi, 'presswork_http_requests_unavailable_total')).toBe(0);
    expect(valueOf(ofCutOff, 'presswork_http_requests_unavailable_total')).toBe(1);
  });

  test('to unknown paths are counted under a fixed name', () => {
    expect(requests('unknown path', 404)).toBe(1);
    expect(requests('another method', 405)).toBe(1);
    expect(requests('unreadable', 400)).toBe(1);
    expect(requests('healthz', 200)).toBeGreaterThanOrEqual(1);
  });

  test('that are answered are not in flight', () => {
    expect(valueOf(ofApi, 'presswork_http_requests_in_flight')).toBe(0);
  });
});

describe('what the worker does', () => {
  test('attempts are counted by outcome, and lag by deliveries', () => {
    const attempts = (outcome: string) =>
      valueOf(ofWorker, 'presswork_webhook_attempts_total', { outcome }) ?? 0;
    expect(attempts('succeeded')).toBe(3);
    expect(attempts('status_5xx')).toBeGreaterThanOrEqual(12);
    expect(attempts('other')).toBe(0);
    expect(valueOf(ofWorker, 'presswork_webhook_delivery_lag_seconds_count')).toBe(3);
    const lag = valueOf(ofWorker, 'presswork_webhook_first_attempt_lag_seconds_count');
    expect(lag).toBeGreaterThanOrEqual(5);
    expect(valueOf(ofWorker, 'presswork_webhook_endpoints_disabled_total')).toBe(1);
  });

  test('the lateness of scheduled publications is measured', () => {
    expect(valueOf(ofWorker, 'presswork_schedule_lateness_seconds_count')).toBe(1);
    expect(valueOf(ofWorker, 'presswork_schedule_lateness_seconds_sum')).toBeGreaterThan(0);
    expect(
      valueOf(ofWorker, 'presswork_outbox_handovers_total', {
        kind: 'scheduled-publish',
        outcome: 'handed_over',
      }),
    ).toBe(1);
  });

  test('stages, their credits and their tokens are counted', () => {
    const tries = (outcome: string) =>
      valueOf(ofWorker, 'presswork_pipeline_stage_duration_seconds_count', { outcome });
    const credits = (movement: string) => valueOf(ofWorker, 'presswork_credits_total', { movement });
    expect(tries('done')).toBe(5);
    expect(tries('failed')).toBe(1);
    // All five stages of one article, and the first of another, which failed.
    expect(credits('charged')).toBe(1 + 1 + 2 + 10 + 5 + 1);
    expect(credits('returned')).toBe(1);
    expect(valueOf(ofWorker, 'presswork_pipeline_articles_given_up_total')).toBe(1);
    expect(valueOf(ofWorker, 'presswork_pipeline_runs_ended_total', { status: 'completed' })).toBe(1);
    expect(valueOf(ofWorker, 'presswork_pipeline_runs_ended_total', { status: 'failed' })).toBe(1);
    expect(valueOf(ofWorker, 'presswork_pipeline_tokens_total', { direction: 'output' })).toBeGreaterThan(0);
  });

  test('workflows that ended without completing are counted by how, also those of which no worker knows', () => {
    const ended = (status: string) => valueOf(ofWorker, 'presswork_workflows_ended_badly', { status });
    expect(ended('timed_out')).toBe(1);
    expect(ended('terminated')).toBe(1);
    expect(ended('failed')).toBe(0);
  });

  test('purges of the cache are counted by whether they were accepted', () => {
    const purges = (samples: readonly Sample[], outcome: string) =>
      valueOf(samples, 'presswork_cache_purges_total', { outcome });
    // Two articles were published by a request, one at its time.
    expect(purges(ofApi, 'accepted')).toBe(2);
    expect(purges(ofWorker, 'accepted')).toBe(1);
    expect(purges(ofApi, 'refused')).toBe(0);
  });

  test('the SDK’s metrics are in the same scrape', () => {
    expect(valueOf(ofWorker, 'temporal_workflow_completed_total')).toBeGreaterThan(0);
    expect(valueOf(ofWorker, 'temporal_worker_task_slots_available')).toBeGreaterThan(0);
  });
});

describe('a scrape', () => {
  test('shows the backlog, in every process', () => {
    for (const samples of [ofApi, ofWorker]) {
      for (const name of ['outbox', 'webhook_queue', 'overdue_schedules', 'deletions']) {
        expect(valueOf(samples, `presswork_${name}_waiting`)).toBe(0);
        expect(valueOf(samples, `presswork_${name}_oldest_seconds`)).toBe(0);
      }
    }
  });

  test('counts requests to storage by operation and outcome', () => {
    const heads = (outcome: string) =>
      valueOf(ofApi, 'presswork_storage_request_duration_seconds_count', {
        operation: 'HeadBucket',
        outcome,
      });
    expect(heads('ok')).toBeGreaterThan(0);
    expect(heads('failed')).toBe(0);
  });

  test('works without the database: unreadable metrics are missing, and reported as such', () => {
    expect(valueOf(ofApi, 'presswork_dependency_reachable', { dependency: 'database' })).toBe(1);
    expect(valueOf(ofCutOff, 'presswork_dependency_reachable', { dependency: 'database' })).toBe(0);
    expect(valueOf(ofCutOff, 'presswork_dependency_reachable', { dependency: 'storage' })).toBe(1);
    expect(valueOf(ofCutOff, 'presswork_outbox_oldest_seconds')).toBeUndefined();
    expect(valueOf(ofCutOff, 'presswork_scrape_failures_total', { source: 'outbox' })).toBe(1);
    expect(valueOf(ofCutOff, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  test('has no id, address or Site as a label', () => {
    const labels = [...ofApi, ...ofWorker, ...ofCutOff].flatMap((sample) => Object.entries(sample.labels));
    const told = labels.filter(([, value]) => /[0-9a-f]{8}-[0-9a-f]{4}-|https?:|@|127\.0\.0\.1/.test(value));
    // The namespace of a test is an id.
    expect(told.filter(([label]) => label !== 'namespace')).toEqual([]);
  });
});

describe('dashboards, alerts and runbook', () => {
  const all = (): readonly Sample[] => [...ofApi, ...ofWorker, ...ofCutOff];

  test('every query of dashboards and alerts finds its metrics in a real scrape', () => {
    const queries = listQueries();
    expect(queries.length).toBeGreaterThan(40);
    const problems = queries.flatMap(({ from, expression }) =>
      unanswered(expression, all()).map((problem) => `${from}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  test('the alerts on housekeeping look at the activities of upkeep, and at no others', () => {
    const names = ofWorker
      .filter(({ name }) => name === 'presswork_activity_failures_total')
      .flatMap(({ labels }) => labels['activity'] ?? [])
      .toSorted();
    const code = ['housekeeping', 'rescue', 'spam-sweep', 'upkeep']
      .map((name) => readDocument(`workflows/${name}.ts`))
      .join('\n');
    const ofUpkeep = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
    expect(ofUpkeep.length).toBeGreaterThan(10);
    const matched = (alert: string): readonly string[] => {
      const { expr = '' } = readAlerts().find((rule) => rule.alert === alert) ?? {};
      const [, negated, pattern] = /activity(!?)=?~"([^"]+)"/.exec(expr) ?? [];
      return names.filter((name) => new RegExp(`^(?:${pattern})$`).test(name) === (negated === ''));
    };
    expect(matched('PressworkHousekeepingStepFails')).toEqual(ofUpkeep);
    expect(matched('PressworkActivitiesFail')).toEqual(
      names.filter((name) => !ofUpkeep.includes(name) && name !== 'advanceArticle'),
    );
  });

  test('every label in a legend exists', () => {
    const known = new Set([...all(), ...readRecorded()].flatMap(({ labels = {} }) => Object.keys(labels)));
    const unknown = readLegends().filter((label) => !known.has(label) && label !== 'instance');
    expect(unknown).toEqual([]);
  });

  test('each of our metrics is on a dashboard or in an alert, and in the runbook', () => {
    const families = new Set(
      all()
        .map(({ name }) => name.replace(/_(bucket|sum|count)$/, ''))
        .filter((name) => name.startsWith('presswork_')),
    );
    const expressions = listQueries()
      .map(({ expression }) => expression)
      .join('\n');
    expect([...families].filter((name) => !expressions.includes(name))).toEqual([]);
    expect([...families].filter((name) => !wholeRunbook.includes(`\`${name}\``))).toEqual([]);
  });

  test('every alert has a summary and a heading in the runbook; no heading is left over', () => {
    const alerts = readAlerts();
    const places = new Map(
      [...runbook].flatMap(([file, text]) =>
        [...text.matchAll(/^### (Presswork\w+)$/gm)].map(([, name]) => [name, file] as const),
      ),
    );
    expect([...places.keys()].toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
    for (const { alert, labels, annotations } of alerts) {
      expect(annotations.runbook).toBe(`docs/runbook/${places.get(alert)}#${alert.toLowerCase()}`);
      expect(annotations.summary).toMatch(/\.$/);
      expect(['page', 'ticket']).toContain(labels.severity);
    }
  });
});
