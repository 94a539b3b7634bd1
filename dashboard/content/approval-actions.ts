import type { Approval } from '../../sdk/src/index.ts';
import { actionOf, inWords } from '../../packages/base/approval-actions.ts';
import { useLanguage } from '../text/language.ts';

/** What an agent asks for, in words. */
export function useActionName(): (approval: Pick<Approval, 'action' | 'path'>) => string {
  const language = useLanguage();
  return (approval) => inWords(language, actionOf(approval));
}
