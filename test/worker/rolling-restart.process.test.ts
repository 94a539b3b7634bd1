import { setTimeout as sleep } from 'node:timers/promises';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { buildArticle, buildKey } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';
import { endWorkers, spawnApi, spawnWorker } from './processes.ts';

let stack: WebhookStack;
let temporal: TestTemporal;

beforeAll(async () => {
  [stack, temporal] = await Promise.all([startWebhooks(), startTemporal()]);
});
afterEach(() => endWorkers());
afterAll(async () => {
  await temporal.close();
  await stack.close();
});

const settings = () => ({
  databaseUrl: stack.api.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
  env: {
    ENCRYPTION_KEY: stack.encryptionKey.toString('base64'),
    WEBHOOK_ALLOWED_HOSTS: [...stack.allowedHosts].join(','),
    // The load balancer of this test shares its processors with all that is tested, and is late to notice.
    SHUTDOWN_DELAY: '5s',
  },
});

const PROBE_MS = 50;

interface Member {
  readonly api: Awaited<ReturnType<typeof spawnApi>>;
  ready: boolean;
}

/** API processes behind a load balancer that checks readiness and never retries. */
class Fleet {
  readonly #members: Member[] = [];
  #turn = 0;
  #closed = false;

  async add(): Promise<void> {
    const api = await spawnApi(settings());
    await api.working;
    const member: Member = { api, ready: false };
    this.#members.push(member);
    void this.#probe(member);
    await eventually('it is ready', () => member.ready);
  }

  /** Stops the oldest one, and starts another. @returns the exit code */
  async replaceOldest(): Promise<number | null> {
    const [oldest] = this.#members;
    const code = await oldest!.api.stop();
    this.#members.shift();
    await this.add();
    return code;
  }

  /** The next ready one, in turn. */
  origin(): string {
    const ready = this.#members.filter(({ ready }) => ready);
    this.#turn += 1;
    return ready[this.#turn % ready.length]!.api.origin;
  }

  close(): void {
    this.#closed = true;
  }

  async #probe(member: Member): Promise<void> {
    while (!this.#closed && (!member.ready || this.#members.includes(member))) {
      const answer = await fetch(`${member.api.origin}/readyz`).catch(() => null);
      await answer?.arrayBuffer().catch(() => {});
      member.ready = answer?.status === 200;
      await sleep(PROBE_MS);
    }
  }
}

/** Reads and writes without a pause, as one client with its own key, below its rate limits. */
async function traffic(fleet: Fleet, key: string, until: () => boolean) {
  const answers: string[] = [];
  const created: string[] = [];
  const send = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = {
      authorization: `Bearer ${key}`,
      'idempotency-key': crypto.randomUUID(),
      ...(body && { 'content-type': 'application/json' }),
    };
    try {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(`${fleet.origin()}/v1${path}`, init);
      const json: any = await response.json();
      answers.push(`${response.status} ${json.error?.code ?? ''}`.trim());
      return json.data;
    } catch (error) {
      answers.push(`${method} ${path}: ${String((error as Error).cause ?? error)}`);
    }
  };
  for (let round = 1; !until(); round += 1) {
    const article =
      round % 8 === 1 ? await send('POST', '/articles', { title: `Round ${round}` }) : undefined;
    if (article) created.push(article.id);
    await send('GET', '/articles?limit=5');
    const known = created.at(-1);
    if (known && round % 8 === 3) await send('PATCH', `/articles/${known}`, { excerpt: `Round ${round}` });
    if (known) await send('GET', `/articles/${known}`);
    await sleep(150);
  }
  return { answers, created };
}

test('two API processes are restarted in turn under load, and no request fails', async () => {
  const { siteId, memberId } = await stack.newTenant();
  const keys = await Promise.all(
    Array.from({ length: 16 }, async () => (await buildKey(stack.api.db, siteId, memberId)).secret),
  );
  const fleet = new Fleet();
  await Promise.all([fleet.add(), fleet.add()]);
  let done = false;
  const clients = Promise.all(keys.map((key) => traffic(fleet, key, () => done)));
  const codes = [await fleet.replaceOldest(), await fleet.replaceOldest()];
  done = true;
  const results = await clients;
  fleet.close();
  const answers = results.flatMap(({ answers }) => answers);
  expect([codes, answers.filter((answer) => answer !== '200' && answer !== '201')]).toEqual([[0, 0], []]);
  expect(answers.length).toBeGreaterThan(200);
  const created = results.flatMap(({ created }) => created);
  const { rows } = await stack.api.db.pool.query('select id from articles where site_id = $1', [siteId]);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(created.toSorted());
});

test('two workers are restarted in turn while articles and webhooks are due: nothing is lost or duplicated', async () => {
  const { api } = stack;
  const { secretKey, siteId } = await stack.newTenant();
  const receiver = await stack.receiver((_, response) => void setTimeout(() => response.end(), 300));
  const { id: endpointId } = await stack.endpoint(receiver.url, {}, secretKey);
  const start = async () => {
    const worker = spawnWorker(settings());
    await worker.working;
    return worker;
  };
  const workers = await Promise.all([start(), start()]);

  // One is due every 400 ms, for the time of the restarts.
  const scheduled: string[] = [];
  for (let number = 1; number <= 30; number += 1) {
    const { id } = await buildArticle(api, secretKey, { title: `Due ${number}`, content: 'Text.' });
    const body = { scheduled_publish_at: new Date(Date.now() + 2_000 + number * 400).toISOString() };
    const answer = await api.request('POST', `/articles/${id}/schedule`, { key: secretKey, body });
    expect(answer.status).toBe(200);
    scheduled.push(id);
  }
  const restarted = new AbortController();
  const emitting = (async () => {
    const ids: string[] = [];
    while (!restarted.signal.aborted) {
      ids.push(...(await stack.emit(5, siteId)));
      await sleep(100);
    }
    return ids;
  })();
  const codes: (number | null)[] = [];
  for (const worker of workers) {
    codes.push(await worker.stop());
    await start();
  }
  restarted.abort();
  const emitted = await emitting;
  expect(codes).toEqual([0, 0]);

  const published = async (): Promise<boolean> =>
    (await api.db.pool.query(`select from articles where status = 'published' and site_id = $1`, [siteId]))
      .rowCount === scheduled.length;
  await eventually('every article is published', published, 100);
  const { rows } = await api.db.pool.query('select id from events where site_id = $1', [siteId]);
  const recorded = rows.map(({ id }) => id as string);
  expect(recorded).toHaveLength(scheduled.length + emitted.length);
  const sent = (): string[] => receiver.seen.map(({ body }) => JSON.parse(body).id);
  await eventually('every event has arrived', () => new Set(sent()).size === recorded.length, 50);
  expect(sent().toSorted()).toEqual(recorded.toSorted());
  const done = async () => (await stack.attempts(endpointId)).length === recorded.length;
  await eventually('every attempt is recorded', done, 50);
});
