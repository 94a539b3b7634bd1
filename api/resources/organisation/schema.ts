import { z } from 'zod';
import { chosenGates, gatedOperations } from '../../../domain/approvals/gated-operations.ts';
import { id, isoTime, text } from '../../../packages/base/fields.ts';

const operations = z.array(z.enum(gatedOperations));

export const OrganisationWrite = z
  .strictObject({
    name: text(200, 1).optional(),
    agent_access: z.boolean().optional(),
    approval_operations: operations
      .max(100)
      .nullable()
      .optional()
      .meta({
        description: `null for the default, which is every operation but ${chosenGates.map((gate) => `\`${gate}\``).join(', ')}; an empty list for none. An operation that a later release lets agents ask for is added to your list by itself.`,
      }),
  })
  .meta({
    id: 'OrganisationWrite',
    examples: [{ agent_access: true, approval_operations: ['article.delete', 'key.create'] }],
  });

export const OrganisationShape = z
  .strictObject({
    id,
    name: z.string(),
    plan: z.enum(['free', 'pro']),
    agent_access: z.boolean().meta({ description: 'Whether keys held by agents work at all.' }),
    approval_operations: operations.meta({
      description: 'The operations for which a key held by an agent needs a person’s approval.',
    }),
    approval_operations_default: z
      .boolean()
      .meta({ description: 'Whether `approval_operations` is the default: none has been chosen.' }),
    created_at: isoTime,
  })
  .meta({
    id: 'Organisation',
    examples: [
      {
        id: '0197a0c4-ffff-7d30-9b64-2f1f0d3c8a11',
        name: 'Tea & Co.',
        plan: 'pro',
        agent_access: true,
        approval_operations: ['article.delete', 'key.create'],
        approval_operations_default: false,
        created_at: '2026-01-05T10:00:00.000Z',
      },
    ],
  });
