import { createHash } from 'node:crypto';
import { isShown, neverThere, noSecret, PushFailure } from '../../../domain/cms/adapter.ts';
import type { CmsAdapter, PostChange, PushOutcome, Remote } from '../../../domain/cms/adapter.ts';
import { presentArticle } from '../../../domain/articles/present.ts';
import type { Clock } from '../../../domain/kernel/clock.ts';
import { newId } from '../../../domain/kernel/ids.ts';
import type { GuardedClient, GuardedResult } from '../../http/guarded-client.ts';
import { webhookRequest } from '../../http/webhook-request.ts';
import { waitAskedFor } from '../retry-after.ts';

interface Ports {
  readonly http: GuardedClient;
  readonly clock: Clock;
}

/** The changes of an article, in the words of events. */
interface Message {
  readonly event: string;
  readonly data: object;
}

/** A message that each attempt sends with the same bytes. */
interface Delivered extends Message {
  readonly id: string;
  readonly created_at: string;
}

/** A POST in the shape of a delivery to a webhook endpoint, signed like one. */
export function createHttpAdapter({ http, clock }: Ports): CmsAdapter {
  async function send(
    remote: Remote,
    attempt: number,
    { id: eventId, event, created_at, data }: Delivered,
  ): Promise<void> {
    const { config, secret, siteId } = remote;
    if (secret === null) throw noSecret('a signing secret that begins with whsec_');
    const at = clock.now();
    const body = JSON.stringify({ id: eventId, event, created_at, data });
    const request = webhookRequest({
      url: config['url'] as string,
      body,
      event,
      eventId,
      id: newId(),
      attempt,
      at,
      secret,
    });
    requireAccepted(await http.request({ ...request, isolationKey: siteId }), at);
  }

  return {
    batch: 1,
    async test(remote) {
      await send(remote, 1, { id: newId(), event: 'ping', created_at: clock.now().toISOString(), data: {} });
      return 'The receiver has accepted a ping.';
    },
    async push(remote, changes, { intend }) {
      const outcomes: PushOutcome[] = [];
      for (const change of changes) {
        const published = isShown(change);
        if (!published && change.state === null && change.intent === null) throw neverThere();
        // The receiver may have it although its answer is lost.
        if (published) await intend(change.articleId, { published });
        await send(remote, change.attempt, deliveredAs(change, messageOf(change)));
        outcomes.push({ status: 'succeeded', remoteUrl: null, state: { published } });
      }
      return outcomes;
    },
  };
}

function messageOf(change: PostChange): Message {
  const { articleId, post, state } = change;
  if (post === null) return { event: 'article.deleted', data: { id: articleId } };
  const data = presentArticle(post);
  if (!isShown(change)) return { event: 'article.unpublished', data };
  const shown = (state as { readonly published?: boolean } | null)?.published === true;
  return { event: shown ? 'article.updated' : 'article.published', data };
}

/** The id is that of the content: when the article changes between two attempts, receivers must not take it for known. */
function deliveredAs({ item, askedAt, post }: PostChange, { event, data }: Message): Delivered {
  const changedAt = Math.max(askedAt.getTime(), post?.updated_at.getTime() ?? 0);
  return {
    id: uuidOf(`${item} ${event} ${JSON.stringify(data)}`),
    event,
    created_at: new Date(changedAt).toISOString(),
    data,
  };
}

/** A uuid of a text (version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** @throws PushFailure unless the receiver answered with 2xx, as for webhooks */
function requireAccepted(result: GuardedResult, now: Date): void {
  if (result.outcome === 'failure')
    throw new PushFailure(`The receiver could not be reached: ${result.error} (${result.detail}).`);
  const { status, headers } = result;
  if (status < 200 || status > 299)
    throw new PushFailure(`The receiver answered ${status} instead of 2xx.`, {
      retryAfterMs: waitAskedFor(status, headers, now),
    });
}
