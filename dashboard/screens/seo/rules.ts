import { useText } from '../../text/texts.ts';
import { ruleTexts } from './rule-texts.ts';

export interface Rule {
  readonly name: string;
  readonly advice: string;
}

/** The name of a rule. A later version of the API may have one that has no text here. */
export function useRules(): (rule: string) => Rule {
  const known: Readonly<Record<string, Rule>> = useText(ruleTexts);
  return (rule) => known[rule] ?? { name: rule, advice: '' };
}
