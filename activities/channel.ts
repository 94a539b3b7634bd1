import { postToChannel } from '../adapters/channels/post.ts';
import { findDueMessages, nextMessageAt, settleMessage } from '../domain/notifications/channel-messages.ts';
import type { DueMessage } from '../domain/notifications/channel-messages.ts';
import { composePost, languageOf } from '../domain/notifications/compose-post.ts';
import { addressOf, textToAll } from '../domain/notifications/present.ts';
import { findTenant } from '../domain/organisations/share.ts';
import { nextAttemptAt } from '../domain/webhooks/retry-schedule.ts';
import { FairSemaphore, NoPermit } from '../runtime/fair-semaphore.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { Ports } from './ports.ts';

/** Messages of one call. */
const MESSAGES = 10;
/** A third of the time after which a worker counts as dead. */
const HEARTBEAT_MS = 3_000;
/** Wait before another look while others of the organisation, or all others, have the turns. */
const HELD_UP_MS = 1_000;

/** A channel, and whose it is. */
export interface ChannelInput {
  readonly channelId: string;
  readonly siteId: string;
}

type ChannelPorts = Pick<Ports, 'db' | 'clock' | 'log' | 'box' | 'retryDelays' | 'publicUrl' | 'http'>;

/**
 * The side effects of channels. Each is safe to run twice: what was sent is settled before the next is, so that a process
 * that dies repeats one message.
 */
export function createChannelActivities(ports: ChannelPorts) {
  const { db, clock, log, box, retryDelays, publicUrl, http } = ports;
  /** Messages that are sent at the same time in this process, and those of one organisation. */
  const turns = new FairSemaphore({
    permits: 20,
    tenantPermits: 4,
    waiting: 1_000,
    tenantWaiting: 100,
    longestWaitMs: 5_000,
  });

  async function send(message: DueMessage): Promise<void> {
    const { id, channel_id: channelId, site_id: siteId, locale, kind, details } = message;
    const language = languageOf(locale);
    const body = composePost(message.channel_kind, {
      text: textToAll(kind, details, language),
      url: addressOf(publicUrl, siteId, message),
      siteName: message.site_name,
      language,
    });
    const outcome = await postToChannel(http, { url: box.open(message.secret, channelId), siteId, id, body });
    if (!outcome.sent)
      log.warn(
        { channel_id: channelId, site_id: siteId, final: outcome.final, reason: outcome.error },
        'a message to a channel was not sent',
      );
    const now = clock.now();
    // Failures are repeated as those of webhooks are (docs/spec/rulings.md, 24).
    const again =
      outcome.sent || outcome.final ? null : nextAttemptAt(retryDelays, message.attempts + 1, now);
    await db.transaction((tx) => settleMessage(tx, message, outcome, again, now));
  }

  return {
    /** Sends what is due to a channel. @returns when the next message is due, ISO 8601; null if nothing is left */
    sendToChannel: ({ channelId, siteId }: ChannelInput): Promise<string | null> =>
      withHeartbeat(async () => {
        const tenant = await findTenant(db, siteId);
        try {
          for (const message of await findDueMessages(db, channelId, clock.now(), MESSAGES))
            await turns.run(tenant, () => send(message));
        } catch (error) {
          if (!(error instanceof NoPermit)) throw error;
          return new Date(clock.now().getTime() + HELD_UP_MS).toISOString();
        }
        return (await nextMessageAt(db, channelId))?.toISOString() ?? null;
      }, HEARTBEAT_MS),
  };
}

export type ChannelActivities = ReturnType<typeof createChannelActivities>;
