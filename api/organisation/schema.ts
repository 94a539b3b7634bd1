import { z } from 'zod';
import { gatedOperations } from '../../domain/approvals/gated-operations.ts';
import { id, isoTime, text } from '../schema/fields.ts';

const operations = z.array(z.enum(gatedOperations));

export const OrganisationWrite = z
  .strictObject({
    name: text(200, 1).optional(),
    agent_access: z.boolean().optional(),
    approval_operations: operations
      .max(100)
      .nullable()
      .optional()
      .meta({ description: 'null for all that can be gated; an empty list for none.' }),
  })
  .meta({ id: 'OrganisationWrite' });

export const OrganisationShape = z
  .strictObject({
    id,
    name: z.string(),
    plan: z.enum(['free', 'pro']),
    agent_access: z.boolean().meta({ description: 'Whether keys held by agents work at all.' }),
    approval_operations: operations.meta({
      description: 'What a key held by an agent does only with a person’s approval.',
    }),
    created_at: isoTime,
  })
  .meta({ id: 'Organisation' });
