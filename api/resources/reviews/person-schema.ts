import { z } from 'zod';
import { id } from '../../../packages/base/fields.ts';

/** A member, as other members see them. */
export const Person = z
  .strictObject({
    id: id.nullable().describe('Of the membership; null once the person was erased.'),
    name: z.string().describe('The part of the address before `@`, or `Former member`.'),
  })
  .meta({ id: 'Person', examples: [{ id: '0197a0c4-1111-7d30-9b64-2f1f0d3c8a11', name: 'ada' }] });
