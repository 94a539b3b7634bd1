import type { Approval } from '../../../sdk/src/index.ts';
import { useText } from '../../text/texts.ts';
import { screenTexts } from './text.ts';

export type Action = keyof (typeof screenTexts)['en']['actions'];

/** A bulk job that deletes has the action of a single deletion. */
export const actionOf = ({ action, path }: Pick<Approval, 'action' | 'path'>): string =>
  action === 'article.delete' && path === '/articles/bulk' ? 'articles.delete' : action;

/** What the agent wants to do, in words. A later version of the API may have an action that has none here. */
export function useActionName(): (approval: Pick<Approval, 'action' | 'path'>) => string {
  const { actions } = useText(screenTexts);
  return (approval) => {
    const action = actionOf(approval);
    return Object.hasOwn(actions, action) ? actions[action as Action] : action;
  };
}

export function useConsequence(): (approval: Pick<Approval, 'action' | 'path'>) => string | null {
  const { consequences } = useText(screenTexts);
  return (approval) => {
    const action = actionOf(approval);
    return Object.hasOwn(consequences, action) ? consequences[action as Action] : null;
  };
}
