import {
  condition,
  defineQuery,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { RetiringActivities } from '../activities/retiring.ts';
import { searchAttributes } from '../temporal/names.ts';

export interface KeyRotationInput {
  readonly keyId: string;
  /** Number of the rotation among those of the key. */
  readonly rotation: number;
  readonly siteId: string;
}

export interface KeyRotationState {
  readonly state: 'starting' | 'grace' | 'retired';
  /** When the replaced secret stops being good, ISO 8601; null while that is not known. */
  readonly until: string | null;
}

// Says only that the grace has become shorter; when it ends stands in the database. A signal and not an update,
// since nobody waits for an answer.
export const cut = defineSignal('cut');
const state = defineQuery<KeyRotationState>('state');

const { readGraceEnd, retireSecret } = proxyActivities<RetiringActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** What to wait where the worker's clock is behind the server's: doubled each time, since it may be far behind. */
const SHORTEST_SKEW_MS = 100;
const LONGEST_SKEW_MS = 60_000;

/**
 * Retires the secret that a rotation replaced, at the end of its grace. Nothing waits for this: the secret is
 * refused from that moment on anyhow. What it adds is the mark, and the line of the audit log.
 */
export async function keyRotation({ keyId, rotation }: KeyRotationInput): Promise<void> {
  let changed = false;
  let current: KeyRotationState = { state: 'starting', until: null };
  const onCut = (): void => {
    changed = true;
  };
  setHandler(cut, onCut, {
    description: 'Read anew when the grace ends: it was shortened, or the key revoked.',
  });
  setHandler(state, () => current, {
    description: 'Whether the replaced secret is still good, and until when.',
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
      enter({ state: 'grace', until }, `the replaced secret is good until ${until}`);
    const remaining = Date.parse(until) - Date.now();
    if (remaining > 0 && (await condition(() => changed, remaining))) continue;
    if (await retireSecret(keyId, rotation)) break;
    await condition(() => changed, skew);
  }
  enter({ state: 'retired', until: current.until }, 'the replaced secret is retired');
}
