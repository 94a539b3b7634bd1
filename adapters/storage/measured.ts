import type { S3Client } from '@aws-sdk/client-s3';
import { storageAnswered } from '../../observability/metrics/storage.ts';
import type { StorageOutcome } from '../../observability/metrics/storage.ts';

/** Counts each request of a client, retries included, and the time to the head of its answer. Signing a URL is none. */
export function measureRequests(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const begun = performance.now();
        const answered = (outcome: StorageOutcome): void =>
          storageAnswered(commandName.replace(/Command$/, ''), outcome, (performance.now() - begun) / 1_000);
        try {
          const result = await next(args);
          answered(outcomeOf((result.response as { statusCode?: number }).statusCode));
          return result;
        } catch (error) {
          answered(isOurOwnEnd(error) ? 'given_up' : outcomeOf(statusOf(error)));
          throw error;
        }
      },
    { step: 'deserialize', name: 'measured' },
  );
}

const outcomeOf = (status: number | undefined): StorageOutcome =>
  status === undefined || status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok';

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** A client that went away; a request that ran out of time failed. */
const isOurOwnEnd = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'AbortError' &&
  (error.cause as Error | undefined)?.name !== 'TimeoutError';
