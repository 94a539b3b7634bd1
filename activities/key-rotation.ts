import { findGraceEnd, retireSecrets } from '../domain/access/key-graces.ts';
import type { Ports } from './ports.ts';

/** The side effects of a key rotation. Each is safe to run twice: the database decides. */
export const createKeyRotationActivities = ({ db, clock }: Pick<Ports, 'db' | 'clock'>) => ({
  /** When the next replaced secret of a key expires, ISO 8601; null if none is left. */
  async readGraceEnd(keyId: string): Promise<string | null> {
    return (await findGraceEnd(db, keyId))?.toISOString() ?? null;
  },

  /** Retires the replaced secrets whose grace period is over. @returns whether there were any, or none is left */
  retireSecret(keyId: string): Promise<boolean> {
    return retireSecrets(db, keyId, clock.now());
  },
});

export type KeyRotationActivities = ReturnType<typeof createKeyRotationActivities>;
