import type { z } from 'zod';
import type { FieldMessages } from '../../domain/errors.ts';
import { showable } from '../unusable-text.ts';

type Issue = z.core.$ZodIssue;

/** A dotted path (`faqs.0.question`) to one message, for every mistake at once (decisions 1). */
export function fieldMessages(issues: readonly Issue[]): FieldMessages {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const add = (path: readonly PropertyKey[], message: string): void => {
    const name = showable(path.map(String).join('.'));
    fields[name] ??= message;
  };
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        add([...issue.path, key], 'cannot be set: it is unknown here, or read only');
    } else {
      add(issue.path, messageOf(issue));
    }
  }
  return fields;
}

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
  if (issue.code === 'too_big') return `must have at most ${issue.maximum} ${unitOf(issue.origin)}`.trim();
  if (issue.code === 'too_small') return `must have at least ${issue.minimum} ${unitOf(issue.origin)}`.trim();
  return issue.message;
}

const withArticle = (type: string): string =>
  type === 'int' ? 'an integer' : /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;

const isNumber = (origin: string): boolean => origin === 'number' || origin === 'int';

const unitOf = (origin: string): string =>
  origin === 'array' ? 'members' : origin === 'string' ? 'characters' : '';
