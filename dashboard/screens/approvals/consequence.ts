import type { Approval } from '../../../sdk/src/index.ts';
import { actionOf } from '../../../packages/base/approval-actions.ts';
import { useText } from '../../text/texts.ts';
import { screenTexts } from './text.ts';

/** The effect of an approval; null for an action that a later version of the API has. */
export function useConsequence(): (approval: Pick<Approval, 'action' | 'path'>) => string | null {
  const { consequences } = useText(screenTexts);
  return (approval) => {
    const action = actionOf(approval);
    return Object.hasOwn(consequences, action) ? consequences[action as keyof typeof consequences] : null;
  };
}
