import type { PostOutcome } from '../../domain/notifications/channel-messages.ts';
import type { GuardedClient } from '../http/guarded-client.ts';

interface PostRequest {
  readonly url: string;
  readonly siteId: string;
  /** Of the message: the same for each attempt. */
  readonly id: string;
  readonly body: object;
}

const RENEW = 'Make a new URL there, and set it with PATCH /notifications/channels/{id}.';

/** What a client can do about an answer; its body is not shown, which may hold the URL. */
const reasons: Readonly<Record<number, string>> = {
  400: 'refused the message. Is the kind of the channel right?',
  401: `does not accept the URL. ${RENEW}`,
  403: `does not accept the URL. ${RENEW}`,
  404: `does not know the URL. ${RENEW}`,
  410: `does not know the URL any more. ${RENEW}`,
};

/**
 * Posts a message to the incoming webhook of a channel. Redirects are not followed: the URL is a secret. Of the answer
 * the status alone is read, so that one that breaks off is not repeated.
 */
export async function postToChannel(
  http: GuardedClient,
  { url, siteId, id, body }: PostRequest,
): Promise<PostOutcome> {
  const result = await http.request({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': id },
    body: JSON.stringify(body),
    redirects: 'returned',
    isolationKey: siteId,
    readBody: false,
  });
  if (result.outcome === 'failure')
    return {
      sent: false,
      final: false,
      error: `The channel could not be reached: ${result.error} (${result.detail}).`,
    };
  const { status } = result;
  if (status >= 200 && status <= 299) return { sent: true };
  if (status >= 300 && status <= 399)
    return {
      sent: false,
      final: true,
      error:
        'The URL leads elsewhere, which is not followed. Set the URL to where it leads with PATCH /notifications/channels/{id}.',
    };
  const final = status >= 400 && status <= 499 && status !== 408 && status !== 429;
  return {
    sent: false,
    final,
    error: `The channel ${reasons[status] ?? 'answered with an error.'} (${status})`,
  };
}
