import type { Database } from '../db/database.ts';
import { findGraceEnd, retireSecret } from '../domain/access/key-graces.ts';
import type { Clock } from '../domain/clock.ts';

export interface KeyRotationPorts {
  readonly db: Database;
  readonly clock: Clock;
}

/** The side effects of a key rotation. Each is safe to run twice: the database decides. */
export const createKeyRotationActivities = ({ db, clock }: KeyRotationPorts) => ({
  /** When the secret that a rotation replaced expires, ISO 8601; null once it is retired. */
  async readGraceEnd(keyId: string, rotation: number): Promise<string | null> {
    return (await findGraceEnd(db, keyId, rotation))?.toISOString() ?? null;
  },

  /** Retires the secret if its grace period is over. @returns whether it is retired */
  retireSecret(keyId: string, rotation: number): Promise<boolean> {
    return retireSecret(db, keyId, rotation, clock.now());
  },
});

export type KeyRotationActivities = ReturnType<typeof createKeyRotationActivities>;
