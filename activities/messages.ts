import { composeMail } from '../domain/notifications/compose-mail.ts';
import {
  dropUnwantedMails,
  findDueMails,
  gatherMails,
  nextMailAt,
  settleMail,
} from '../domain/notifications/mails.ts';
import { RESETS } from '../domain/sign-in/link-paths.ts';
import { nextAttemptAt } from '../domain/webhooks/retry-schedule.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { Ports } from './ports.ts';

/** Mails of one call. */
const MAILS = 10;
/** A third of the time after which a worker counts as dead. */
const HEARTBEAT_MS = 3_000;

type MessagesPorts = Pick<Ports, 'db' | 'clock' | 'log' | 'box' | 'retryDelays' | 'mailer' | 'publicUrl'>;

/**
 * The side effects of messages. Each is safe to run twice: what a mail holds is committed before it is sent, so a mail
 * that is repeated because a process died has the same Message-ID.
 */
export const createMessagesActivities = (ports: MessagesPorts) => {
  const { db, clock, log, box, retryDelays, mailer, publicUrl } = ports;
  return {
    /** Sends what is due to a person. @returns when the next mail is due, ISO 8601; null if nothing is left */
    sendMessages(memberId: string): Promise<string | null> {
      return withHeartbeat(async () => {
        await db.transaction(async (tx) => {
          await dropUnwantedMails(tx, memberId, mailer === null);
          await gatherMails(tx, memberId, clock.now());
        });
        if (mailer === null) return null;
        for (const mail of await findDueMails(db, memberId, clock.now(), MAILS)) {
          const composed = composeMail(mail, { box, publicUrl, resets: publicUrl + RESETS });
          const outcome =
            composed === null
              ? ({ sent: false, final: true, error: 'its link has ended' } as const)
              : await mailer.send(composed);
          if (!outcome.sent)
            log.warn(
              { member_id: memberId, mail_id: mail.id, final: outcome.final, reason: outcome.reason },
              'a mail was not sent',
            );
          const now = clock.now();
          // Failures are repeated as those of webhooks are (docs/spec/rulings.md, 24).
          const again =
            outcome.sent || outcome.final ? null : nextAttemptAt(retryDelays, mail.attempts + 1, now);
          await db.transaction((tx) => settleMail(tx, mail, outcome, again, now));
        }
        return (await nextMailAt(db, memberId))?.toISOString() ?? null;
      }, HEARTBEAT_MS);
    },
  };
};

export type MessagesActivities = ReturnType<typeof createMessagesActivities>;
