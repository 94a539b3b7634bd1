import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ApprovalActivities } from '../activities/approval.ts';
import { withFallback } from './with-fallback.ts';
import { showState } from './show-state.ts';

export type ApprovalWorkflowState =
  | 'starting'
  | 'failing'
  | 'pending'
  | 'approved'
  | 'denied'
  | 'expired'
  | 'used'
  | 'gone';

// Both only say that the approval changed; the database says how. A sender of signals can therefore decide nothing.
// They are signals and not updates because no caller waits for an answer.
export const decide = defineSignal('decide');
export const use = defineSignal('use');
const state = defineQuery<ApprovalWorkflowState>('state');

const { readApproval, expireApproval } = proxyLocalActivities<ApprovalActivities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '15 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '2 seconds', maximumAttempts: 6 },
});
/** Retried until done; each attempt reads the current row. */
const visibleActivities = proxyActivities<ApprovalActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
});

/** Wait before another look if the worker's clock is behind the server's. Doubled each time: it may be far behind. */
const SHORTEST_SKEW_MS = 50;
const LONGEST_SKEW_MS = 60_000;

/**
 * Follows an approval until it is denied, used or expired, and records the expiry. Readers compare the expiry time
 * themselves, so nothing depends on this workflow being punctual.
 */
export async function approval(input: {
  readonly approvalId: string;
  readonly siteId: string;
}): Promise<ApprovalWorkflowState> {
  let changed = false;
  let current: ApprovalWorkflowState = 'starting';
  const onChange = (): void => {
    changed = true;
  };
  setHandler(decide, onChange, {
    description: 'A person decided, or an erasure ended it: read the approval again.',
  });
  setHandler(use, onChange, { description: 'The agent used it: read the approval again.' });
  setHandler(state, () => current, { description: 'The status of the approval.' });
  const enter = (next: ApprovalWorkflowState, details: string): void => {
    if (current === next) return;
    current = next;
    showState(next, details);
  };

  const failing = (reason: string): void => enter('failing', `the row cannot be read or written: ${reason}`);

  for (let skew = SHORTEST_SKEW_MS; ;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof approval>(input);
    changed = false;
    const found = await withFallback(
      () => readApproval(input.approvalId),
      () => visibleActivities.readApproval(input.approvalId),
      failing,
    );
    if (changed) continue;
    if (found === null) {
      enter('gone', 'the row no longer exists');
      return current;
    }
    const { status, expiresAt } = found;
    enter(status, details[status](expiresAt));
    if (status !== 'pending' && status !== 'approved') return current;
    const remaining = Date.parse(expiresAt) - Date.now();
    if (remaining > 0) {
      await condition(() => changed, remaining);
      continue;
    }
    const expired = await withFallback(
      () => expireApproval(input.approvalId),
      () => visibleActivities.expireApproval(input.approvalId),
      failing,
    );
    if (!expired) {
      await condition(() => changed, skew);
      skew = Math.min(LONGEST_SKEW_MS, skew * 2);
    }
  }
}

const details = {
  pending: (end: string) => `waiting for a person’s decision until ${end}`,
  approved: (end: string) => `approved; can be used until ${end}`,
  denied: () => 'a person denied it',
  expired: (end: string) => `expired, at ${end} or before`,
  used: () => 'used by its request',
} as const;
