import type { z } from 'zod';
import { Mistakes } from './mistakes.ts';
import type { FieldMessages } from './mistakes.ts';

type Issue = z.core.$ZodIssue;

/** Adds zod's issues to the mistakes, up to their limit. */
export function addIssues(issues: readonly Issue[], mistakes: Mistakes): void {
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        if (mistakes.isFull) return;
        mistakes.add([...issue.path, key], 'must not be set: the field is unknown or read-only');
      }
    } else {
      mistakes.add(issue.path, messageOf(issue));
    }
    if (mistakes.isFull) return;
  }
}

/** One message per dotted path (`faqs.0.question`), up to the limit of mistakes (docs/spec/rulings.md, 1 and 14). */
export function fieldMessages(issues: readonly Issue[]): FieldMessages {
  const mistakes = new Mistakes();
  addIssues(issues, mistakes);
  return mistakes.fields;
}

/** The issue codes with messages of our own, below. */
const ownMessages: readonly unknown[] = [
  'unrecognized_keys',
  'invalid_type',
  'invalid_value',
  'too_big',
  'too_small',
];

/** A zod error map that avoids building zod's message for each of thousands of issues that get our own messages. */
export const skipZodMessage = ({ code }: { readonly code?: string | undefined }): string | undefined =>
  ownMessages.includes(code) ? '' : undefined;

function messageOf(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    const absent = issue.input === undefined;
    return absent ? 'is required' : `must be ${withArticle(issue.expected)}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if ((issue.code === 'too_big' || issue.code === 'too_small') && isNumber(issue.origin)) {
    return issue.code === 'too_big'
      ? `must be at most ${issue.maximum}`
      : `must be at least ${issue.minimum}`;
  }
  if (issue.code === 'too_big') return `must have at most ${amountOf(issue.maximum, issue.origin)}`;
  if (issue.code === 'too_small') return `must have at least ${amountOf(issue.minimum, issue.origin)}`;
  return issue.message;
}

const withArticle = (type: string): string =>
  type === 'int' ? 'an integer' : /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;

const isNumber = (origin: string): boolean => origin === 'number' || origin === 'int';

const units: Readonly<Record<string, string>> = { array: 'member', string: 'character' };

/** `1 member`, `2 members`. */
function amountOf(count: number | bigint, origin: string): string {
  const unit = units[origin];
  return unit === undefined ? String(count) : `${count} ${unit}${Number(count) === 1 ? '' : 's'}`;
}
