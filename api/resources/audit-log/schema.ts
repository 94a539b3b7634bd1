import { z } from 'zod';
import { contentActions, lastingActions } from '../../../domain/audit/actions.ts';
import { dateTime, id, isoTime, pageOf, uuid } from '../../../packages/base/fields.ts';
import { cursor, limit } from '../../framework/schema/query.ts';

const listed = (actions: readonly string[]): string => actions.map((action) => `\`${action}\``).join(', ');

const AuditLogEntry = z
  .strictObject({
    id,
    at: isoTime,
    actor: z
      .strictObject({ kind: z.enum(['key', 'person', 'system']), id: id.nullable(), name: z.string() })
      .meta({
        id: 'AuditActor',
        description:
          'key is an API key. person is a member who signed in with a browser or, for sign_in.fail, whose address was entered. system is the operator’s command or the product itself, and has no id.',
      }),
    action: z.string().meta({
      description: `An open enumeration. Actions on content are kept for 400 days: ${listed(contentActions)}. All others are kept permanently: ${listed(lastingActions)}.`,
    }),
    target: z.strictObject({ type: z.string(), id: id.nullable() }).meta({ id: 'AuditTarget' }).nullable(),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'For an update, {"before", "after"} of each changed member; otherwise values. A value of more than 200 characters is replaced by its length.',
    }),
    request_id: z.string().nullable().meta({
      description: 'The Request-Id of the request; null for the system.',
    }),
  })
  .meta({
    id: 'AuditLogEntry',
    examples: [
      {
        id: '0197a0c4-eeee-7d30-9b64-2f1f0d3c8a11',
        at: '2026-03-01T09:30:00.000Z',
        actor: { kind: 'key', id: '0197a0c4-8888-7d30-9b64-2f1f0d3c8a11', name: 'Website' },
        action: 'article.publish',
        target: { type: 'article', id: '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11' },
        details: { before: { status: 'draft' }, after: { status: 'published' } },
        request_id: '5f6b1c9a-1c70-4c1e-9a43-5d2b7e0f8a11',
      },
    ],
  });

export const AuditLogPage = pageOf(AuditLogEntry).meta({ id: 'AuditLogPage' });

export const AuditLogQuery = z.strictObject({
  cursor,
  limit: limit(),
  action: z
    .string()
    .min(1, 'must not be empty')
    .max(100, 'must have at most 100 characters')
    .meta({ description: 'Entries with exactly this action. An unknown action gives an empty page.' })
    .optional(),
  actor_id: uuid.meta({ description: 'The id of a key or a member.' }).optional(),
  target_id: uuid.meta({ description: 'The id of the changed object.' }).optional(),
  since: dateTime.meta({ description: 'Inclusive.' }).optional(),
  until: dateTime.meta({ description: 'Exclusive.' }).optional(),
});
