import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '../../../sdk/src/index.ts';
import { isRejection } from '../../../packages/command/api-client.ts';
import type { ApiClient } from '../../../packages/command/api-client.ts';
import type { Receiver } from './receiver.ts';

/** The findings of the canary, as they are printed. */
export interface Findings {
  readonly ok: boolean;
  /** The step that failed, and why. */
  readonly failed?: string;
  readonly reason?: string;
  /** How long after its time the article was published, by the API. */
  readonly published_late_ms?: number;
  /** From the event to the answer of the receiver, by the worker. */
  readonly delivered_after_ms?: number;
  /** How long each step took, in ms. */
  readonly steps: Readonly<Record<string, number>>;
}

export interface CanaryOptions {
  /** @param signal ends every request of the client */
  readonly client: (signal: AbortSignal) => ApiClient;
  /** Where deliveries go: a receiver of this process, or an address elsewhere that answers 2xx. */
  readonly to: Receiver | string;
  /** For everything up to the delivery. */
  readonly withinMs: number;
}

const TITLE = 'Canary';
const EVENT = 'article.published';
const AHEAD_MS = 2_000;
const POLL_MS = 100;
/** For leaving nothing behind. */
const CLEAN_MS = 30_000;
/** Older ones were left by a canary that was killed. */
const LEFT_AFTER_MS = 10 * 60_000;

class StepFailed extends Error {
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.step = step;
  }
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (isRejection(error)) return `${error.code}: ${error.message}`;
  // A wait that is aborted has a name of its own.
  return error.name === 'TimeoutError' || error.name === 'AbortError' ? 'it took too long' : error.message;
};

/**
 * Publishes an article at a time, has it delivered, and deletes it, by the API alone, as a customer does. The Site is the
 * canary's own.
 */
export async function runCanary({ client, to, withinMs }: CanaryOptions): Promise<Findings> {
  const steps: Record<string, number> = {};
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    try {
      return await work();
    } catch (error) {
      throw new StepFailed(name, error);
    } finally {
      steps[name] = Math.round(performance.now() - begun);
    }
  };
  const signal = AbortSignal.timeout(withinMs);
  const api = client(signal);
  let article: { id: string } | undefined;
  let endpoint: { id: string; ours: boolean } | undefined;
  let figures: Pick<Findings, 'published_late_ms' | 'delivered_after_ms'> = {};
  const failures: StepFailed[] = [];
  try {
    await step('sweep', () => sweep(api));
    const { id, secret, ours } = await step('endpoint', () => prepareEndpoint(api, to));
    endpoint = { id, ours };
    const created = await step('create', () => createArticle(api));
    article = created;
    const due = await step('schedule', () => schedule(api, created.id));
    const late = await step('publish', () => published(api, created.id, due, signal));
    figures = { published_late_ms: late };
    const after = await step('deliver', async () => {
      if (typeof to !== 'string') await to.received(created.id, secret ?? '', signal);
      return delivered(api, id, created.id, due, signal);
    });
    figures = { ...figures, delivered_after_ms: after };
  } catch (error) {
    failures.push(error instanceof StepFailed ? error : new StepFailed('start', error));
  }
  try {
    const cleaner = client(AbortSignal.timeout(CLEAN_MS));
    await step('clean', async () => {
      if (article !== undefined) await remove(cleaner.articles, article.id);
      if (endpoint?.ours) await remove(cleaner.webhooks, endpoint.id);
    });
  } catch (error) {
    failures.push(error as StepFailed);
  }
  const [failure] = failures;
  return {
    ok: failure === undefined,
    ...(failure && { failed: failure.step, reason: failure.message }),
    ...figures,
    steps,
  };
}

async function remove(resource: { delete: (id: string) => Promise<unknown> }, id: string): Promise<void> {
  try {
    await resource.delete(id);
  } catch (error) {
    if (!isRejection(error, 'NOT_FOUND')) throw error;
  }
}

/** Deletes the articles of canaries that did not come to their end. */
async function sweep(api: ApiClient): Promise<void> {
  const { items } = await api.articles.list({ limit: 100, fields: ['title', 'created_at'] });
  for (const { id, title, created_at: created } of items)
    if (title === TITLE && api.answeredAt.getTime() - Date.parse(created) > LEFT_AFTER_MS)
      await remove(api.articles, id);
}

/** The Site's endpoint with the receiver's address; it is made if there is none, and enabled if an outage has disabled it. */
async function prepareEndpoint(
  api: ApiClient,
  to: Receiver | string,
): Promise<{ id: string; secret: string | null; ours: boolean }> {
  const url = typeof to === 'string' ? to : to.url;
  const { items } = await api.webhooks.list({ limit: 100 });
  for (const found of items.filter((each) => each.url === url)) {
    if (typeof to === 'string') {
      if (!found.enabled) await api.webhooks.update(found.id, { enabled: true });
      return { id: found.id, secret: null, ours: false };
    }
    // Of a canary that was killed: its secret is not known.
    await remove(api.webhooks, found.id);
  }
  const { id, secret } = await api.webhooks.create({ url, events: [EVENT], description: TITLE });
  return { id, secret, ours: true };
}

const createArticle = (api: ApiClient): Promise<{ id: string }> =>
  api.articles.create({
    title: TITLE,
    content: 'Published by the synthetic check, and deleted at once.',
  });

/** @returns the time for which it is scheduled, by the API's clock, which shows whole seconds */
async function schedule(api: ApiClient, id: string): Promise<Date> {
  await api.articles.list({ limit: 1 });
  const due = new Date(api.answeredAt.getTime() + AHEAD_MS);
  await api.articles.schedule(id, { scheduled_publish_at: due.toISOString() });
  return due;
}

/** Waits until an article is public. @returns how late it was, in ms */
async function published(api: ApiClient, id: string, due: Date, signal: AbortSignal): Promise<number> {
  for (;;) {
    const { status, published_at: publishedAt } = await api.articles.get(id);
    if (status === 'published') return Date.parse(publishedAt ?? '') - due.getTime();
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Waits until the log has a delivery that succeeded. @returns the time since its event, in ms */
async function delivered(
  api: ApiClient,
  endpointId: string,
  articleId: string,
  since: Date,
  signal: AbortSignal,
): Promise<number> {
  let last: Delivery | undefined;
  for (;;) {
    try {
      const { items } = await api.events.list({ event: EVENT, since: since.toISOString(), limit: 100 });
      const event = items.find(({ data }) => data['id'] === articleId);
      if (event !== undefined) {
        const log = await api.webhooks.listDeliveries(endpointId, { event_id: event.id });
        const success = log.items.find(({ status }) => status === 'succeeded');
        if (success !== undefined)
          return Date.parse(success.attempted_at) + success.duration_ms - Date.parse(event.created_at);
        last = log.items[0] ?? last;
      }
      await sleep(POLL_MS, undefined, { signal });
    } catch (error) {
      if (last === undefined) throw error;
      const answer = last.error ?? `status ${last.response_status}`;
      throw new Error(`the receiver was not reached: ${answer}`, { cause: error });
    }
  }
}
