import { z } from 'zod';
import { ApprovalRequested } from './approval-schema.ts';
import type { Operation } from './operation.ts';

/** The successful answers of an operation: those it declares, and 202 if a person has to approve it first. */
export function answersOf({ answers, approval }: Operation): Operation['answers'] {
  if (approval === undefined) return answers;
  const own = answers[202];
  return { ...answers, 202: own ? z.union([own, ApprovalRequested]) : ApprovalRequested };
}

/**
 * Whether a GET answers a single object. Objects have an ETag and take If-None-Match, lists do not
 * (docs/spec/rulings.md, 14).
 */
export function answersObject({ method, answers, object }: Operation): boolean {
  if (method !== 'GET') return false;
  const shape = answers[200];
  return object ?? !(shape instanceof z.ZodObject && 'items' in shape.shape);
}
