import { z } from 'zod';
import { ApprovalRequested } from './approvals/schema.ts';
import type { Operation } from './operation.ts';

/** Every answer of an operation that is no error: those it declares, and that a person has been asked to approve it. */
export function answersOf({ answers, approval }: Operation): Operation['answers'] {
  if (approval === undefined) return answers;
  const own = answers[202];
  return { ...answers, 202: own ? z.union([own, ApprovalRequested]) : ApprovalRequested };
}
