import type { Database } from '../db/database.ts';
import { findGraceEnd, retireSecret } from '../domain/access/key-graces.ts';
import type { Clock } from '../domain/clock.ts';

export interface RetiringPorts {
  readonly db: Database;
  readonly clock: Clock;
}

/** The side effects of a key's rotation. Each is safe to run twice: the database decides. */
export const createRetiringActivities = ({ db, clock }: RetiringPorts) => ({
  /** When the secret that a rotation replaced stops being good, ISO 8601; null once it is retired. */
  async readGraceEnd(keyId: string, rotation: number): Promise<string | null> {
    return (await findGraceEnd(db, keyId, rotation))?.toISOString() ?? null;
  },

  /** Retires the secret where its grace is over by now. @returns whether it is retired */
  retireSecret(keyId: string, rotation: number): Promise<boolean> {
    return retireSecret(db, keyId, rotation, clock.now());
  },
});

export type RetiringActivities = ReturnType<typeof createRetiringActivities>;
