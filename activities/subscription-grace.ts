import { endGrace, findGraceEnd } from '../domain/billing/subscription.ts';
import type { Ports } from './ports.ts';

/** The side effects of a failed renewal. Each is safe to run twice: the database decides. */
export const createSubscriptionGraceActivities = ({ db, clock }: Pick<Ports, 'db' | 'clock'>) => ({
  /** When the grace ends, ISO 8601; null if there is none. */
  async readSubscriptionGrace(subscriptionId: string): Promise<string | null> {
    return (await findGraceEnd(db, subscriptionId))?.toISOString() ?? null;
  },

  /** Takes the plan back if the grace is over. @returns whether there is none any more */
  endSubscriptionGrace(subscriptionId: string): Promise<boolean> {
    return db.transaction((tx) => endGrace(tx, subscriptionId, clock.now()));
  },
});

export type SubscriptionGraceActivities = ReturnType<typeof createSubscriptionGraceActivities>;
