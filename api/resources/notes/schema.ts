import { z } from 'zod';
import { id, isoTime, pageOf, text, uuid } from '../../../packages/base/fields.ts';
import { cursor, limit } from '../../framework/schema/query.ts';
import { Person } from '../reviews/person-schema.ts';
import { noteExample, noteWriteExample } from './examples.ts';

const body = text(5_000, 1).describe('Plain text.');

export const NoteWrite = z
  .strictObject({
    body,
    quote: text(1_000, 1)
      .optional()
      .describe('What the note is about. It has to occur in the content, or in that of the pending edit.'),
    occurrence: z
      .int()
      .min(1, { error: 'must be at least 1' })
      .optional()
      .describe('Which occurrence of the quote is meant, from 1; by default the first.'),
    parent_id: uuid.nullable().optional().describe('The note that this one replies to.'),
    mention_ids: z.array(uuid).max(20, { error: 'must have at most 20 members' }).optional(),
  })
  .meta({ id: 'NoteWrite', examples: [noteWriteExample] });

export const NoteUpdate = z
  .strictObject({ body, resolved: z.boolean() })
  .partial()
  .meta({ id: 'NoteUpdate', examples: [{ resolved: true }] });

export const NoteShape = z
  .strictObject({
    id,
    article_id: id,
    parent_id: id.nullable().describe('The note that begins the thread; null for that one.'),
    body: z.string(),
    quote: z.string().nullable(),
    position: z
      .strictObject({ start: z.int(), end: z.int() })
      .meta({ id: 'NotePosition' })
      .nullable()
      .describe(
        'Where the quote is in the content, in code points; null while the content does not have it.',
      ),
    author: Person,
    mentions: z.array(Person),
    resolved: z.boolean(),
    resolved_by: Person.nullable(),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: 'Note', examples: [noteExample] });

export const NotePage = pageOf(NoteShape).meta({ id: 'NotePage' });

export const NoteQuery = z.strictObject({
  cursor,
  limit: limit(),
  resolved: z
    .string()
    .regex(/^(?:true|false)$/, 'must be true or false')
    .transform((value) => value === 'true')
    .meta({ type: 'boolean', description: 'Only notes that are resolved, or that are not.' })
    .optional(),
});
