import { z } from 'zod';
import { ApprovalRequested } from '../approval-schema.ts';
import type { Operation } from '../operation.ts';

/** The example of a request's body. */
export const exampleOfBody = (operation: Operation, schema: z.ZodType): unknown =>
  operation.example?.body ?? exampleIn(schema);

/** The example of the `data` of an answer. */
export function exampleOf(operation: Operation, schema: z.ZodType): unknown {
  if (schema === ApprovalRequested) return approvalExample(operation);
  return operation.example?.data ?? exampleIn(schema instanceof z.ZodUnion ? schema.options[0] : schema);
}

/** The example that a schema declares. That of a page follows from its item. */
export function exampleIn(schema: unknown): object | undefined {
  const { examples } = (schema as z.ZodType).meta() ?? {};
  if (Array.isArray(examples)) return examples[0] as object;
  const items =
    schema instanceof z.ZodObject ? (schema.shape as Record<string, unknown>)['items'] : undefined;
  return items instanceof z.ZodArray ? { items: [exampleIn(items.element)], next_cursor: null } : undefined;
}

const approvalExample = ({ approval }: Operation): unknown => ({
  approval: {
    id: '0197a0c4-9d2b-7c11-8f3e-6a5b4c3d2e1f',
    status: 'pending',
    action: approval?.actions[0],
    expires_at: '2026-03-02T09:00:00.000Z',
  },
});
