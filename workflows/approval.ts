import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ApprovingActivities } from '../activities/approving.ts';
import { searchAttributes } from '../temporal/names.ts';

export interface ApprovalInput {
  readonly approvalId: string;
  readonly siteId: string;
}

export type ApprovalProcessState =
  'starting' | 'pending' | 'approved' | 'denied' | 'expired' | 'used' | 'gone';

// Both say only that something became of the approval: what that is stands in the database, so that whoever can
// signal can decide nothing. They are signals and not updates, since nobody waits for an answer.
export const decide = defineSignal('decide');
export const use = defineSignal('use');
const state = defineQuery<ApprovalProcessState>('state');

const { readApproval, expireApproval } = proxyLocalActivities<ApprovingActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '10 seconds' },
});

/** What to wait where the worker's clock is behind the server's: doubled each time, since it may be far behind. */
const SHORTEST_SKEW_MS = 50;
const LONGEST_SKEW_MS = 60_000;

/**
 * Follows an approval until it has been denied, used or has expired, and writes the expiry down. Readers know of
 * that by the time alone, so that nothing depends on this process being punctual.
 */
export async function approval(input: ApprovalInput): Promise<ApprovalProcessState> {
  let changed = false;
  let current: ApprovalProcessState = 'starting';
  const onChange = (): void => {
    changed = true;
  };
  setHandler(decide, onChange, { description: 'Read it anew: a person decided.' });
  setHandler(use, onChange, { description: 'Read it anew: the agent used it.' });
  setHandler(state, () => current, { description: 'What became of the approval.' });
  const enter = (next: ApprovalProcessState, details: string): void => {
    if (current === next) return;
    current = next;
    setCurrentDetails(details);
    upsertSearchAttributes([{ key: searchAttributes.processState, value: next }]);
  };

  for (let skew = SHORTEST_SKEW_MS; ;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof approval>(input);
    changed = false;
    const found = await readApproval(input.approvalId);
    if (changed) continue;
    if (found === null) {
      enter('gone', 'its row is no longer there');
      return current;
    }
    const { status, expiresAt } = found;
    enter(status, details[status](expiresAt));
    if (status !== 'pending' && status !== 'approved') return current;
    const remaining = Date.parse(expiresAt) - Date.now();
    if (remaining > 0) {
      await condition(() => changed, remaining);
    } else if (!(await expireApproval(input.approvalId))) {
      await condition(() => changed, skew);
      skew = Math.min(LONGEST_SKEW_MS, skew * 2);
    }
  }
}

const details = {
  pending: (end: string) => `waits for a person’s decision until ${end}`,
  approved: (end: string) => `approved; can be used until ${end}`,
  denied: () => 'a person denied it',
  expired: (end: string) => `expired at ${end}`,
  used: () => 'used by the request it was for',
} as const;
