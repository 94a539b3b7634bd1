import {
  condition,
  defineQuery,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { KeyRotationActivities } from '../activities/key-rotation.ts';
import { searchAttributes } from './names.ts';

export interface KeyRotationInput {
  readonly keyId: string;
  /** Number of this rotation of the key. */
  readonly rotation: number;
  readonly siteId: string;
}

export interface KeyRotationState {
  readonly state: 'starting' | 'grace' | 'retired';
  /** When the replaced secret expires, ISO 8601; null until it is known. */
  readonly until: string | null;
}

// Only says that the grace period got shorter; the database says when it ends. A signal and not an update because no
// caller waits for an answer.
export const cut = defineSignal('cut');
const state = defineQuery<KeyRotationState>('state');

const { readGraceEnd, retireSecret } = proxyActivities<KeyRotationActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Wait before another look if the worker's clock is behind the server's. Doubled each time: it may be far behind. */
const SHORTEST_SKEW_MS = 100;
const LONGEST_SKEW_MS = 60_000;

/**
 * Retires the secret that a rotation replaced, at the end of its grace period. The API refuses the secret from then on
 * by itself; this adds the mark and the row of the audit log.
 */
export async function keyRotation({ keyId, rotation }: KeyRotationInput): Promise<void> {
  let changed = false;
  let current: KeyRotationState = { state: 'starting', until: null };
  const onCut = (): void => {
    changed = true;
  };
  setHandler(cut, onCut, {
    description: 'The grace period was shortened or the key revoked: read its end again.',
  });
  setHandler(state, () => current, {
    description: 'Whether the replaced secret is still valid, and until when.',
  });
  const enter = (next: KeyRotationState, details: string): void => {
    current = next;
    setCurrentDetails(details);
    upsertSearchAttributes([{ key: searchAttributes.processState, value: next.state }]);
  };

  for (let skew = SHORTEST_SKEW_MS; ; skew = Math.min(LONGEST_SKEW_MS, skew * 2)) {
    changed = false;
    const until = await readGraceEnd(keyId, rotation);
    if (changed) continue;
    if (until === null) break;
    if (until !== current.until)
      enter({ state: 'grace', until }, `the replaced secret is valid until ${until}`);
    const remaining = Date.parse(until) - Date.now();
    if (remaining > 0 && (await condition(() => changed, remaining))) continue;
    if (await retireSecret(keyId, rotation)) break;
    await condition(() => changed, skew);
  }
  enter({ state: 'retired', until: current.until }, 'the replaced secret is retired');
}
