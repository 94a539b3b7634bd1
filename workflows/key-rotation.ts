import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { KeyRotationActivities } from '../activities/key-rotation.ts';
import { showState } from './show-state.ts';

export interface KeyRotationState {
  readonly state: 'starting' | 'grace' | 'retired';
  /** When the next replaced secret expires, ISO 8601; null until it is known. */
  readonly until: string | null;
}

// Only says that there is another grace, or that one got shorter; the database says when they end. A signal and not an
// update because no caller waits for an answer.
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
 * Retires the secrets that rotations of a key replaced, each at the end of its grace period. The API refuses a secret from
 * then on by itself; this adds the mark and the row of the audit log.
 */
export async function keyRotation(input: { readonly keyId: string; readonly siteId: string }): Promise<void> {
  const { keyId } = input;
  let changed = false;
  let current: KeyRotationState = { state: 'starting', until: null };
  const onCut = (): void => {
    changed = true;
  };
  setHandler(cut, onCut, {
    description: 'The key was rotated or revoked: read again when a grace ends.',
  });
  setHandler(state, () => current, {
    description: 'Whether a replaced secret is still valid, and until when the next one is.',
  });
  const enter = (next: KeyRotationState, details: string): void => {
    current = next;
    showState(next.state, details);
  };

  for (let skew = SHORTEST_SKEW_MS; ; skew = Math.min(LONGEST_SKEW_MS, skew * 2)) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew(input);
    changed = false;
    const until = await readGraceEnd(keyId);
    if (changed) continue;
    if (until === null) break;
    if (until !== current.until)
      enter({ state: 'grace', until }, `a replaced secret is valid until ${until}`);
    const remaining = Date.parse(until) - Date.now();
    if (remaining > 0 && (await condition(() => changed, remaining))) continue;
    if (!(await retireSecret(keyId))) {
      await condition(() => changed, skew);
      continue;
    }
    skew = SHORTEST_SKEW_MS / 2;
  }
  enter({ state: 'retired', until: current.until }, 'every replaced secret is retired');
}
