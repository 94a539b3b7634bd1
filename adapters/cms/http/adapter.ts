import { isShown, neverThere, noSecret, PushFailure } from '../../../domain/cms/adapter.ts';
import type { CmsAdapter, PostChange, PushOutcome, Remote } from '../../../domain/cms/adapter.ts';
import { presentArticle } from '../../../domain/articles/present.ts';
import type { Clock } from '../../../domain/clock.ts';
import { newId } from '../../../domain/ids.ts';
import type { GuardedClient, GuardedResult } from '../../http/guarded-client.ts';
import { webhookRequest } from '../../http/webhook-request.ts';
import { waitAskedFor } from '../retry-after.ts';

interface Ports {
  readonly http: GuardedClient;
  readonly clock: Clock;
}

/** What is said about an article, in the words of events. */
interface Message {
  readonly event: string;
  readonly data: object;
}

/** A POST in the shape of a delivery to a webhook endpoint, signed like one. */
export function createHttpAdapter({ http, clock }: Ports): CmsAdapter {
  async function send(
    remote: Remote,
    eventId: string,
    attempt: number,
    { event, data }: Message,
  ): Promise<void> {
    const { config, secret, siteId } = remote;
    if (secret === null) throw noSecret('a signing secret that begins with whsec_');
    const at = clock.now();
    const body = JSON.stringify({ id: eventId, event, created_at: at.toISOString(), data });
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
      await send(remote, newId(), 1, { event: 'ping', data: {} });
      return 'The receiver has accepted a ping.';
    },
    async push(remote, changes) {
      const outcomes: PushOutcome[] = [];
      for (const change of changes) {
        if (!isShown(change) && change.state === null) throw neverThere();
        await send(remote, change.eventId, change.attempt, messageOf(change));
        outcomes.push({ status: 'succeeded', remoteUrl: null, state: { published: isShown(change) } });
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
