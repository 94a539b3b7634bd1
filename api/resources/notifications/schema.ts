import { z } from 'zod';
import { mutable } from '../../../domain/notifications/kinds.ts';
import { digests } from '../../../domain/notifications/settings.ts';
import { dateTime, id, isoTime, nullableTime, pageOf, uuid } from '../../../packages/base/fields.ts';
import { rule } from '../../../packages/base/rule.ts';
import { cursor, limit } from '../../framework/schema/query.ts';

const NotificationShape = z
  .strictObject({
    id,
    kind: z.string().meta({
      description: `An open enumeration: ${mutable.map((kind) => `\`${kind}\``).join(', ')} and \`security.*\`.`,
    }),
    text: z.string().meta({ description: 'In the language of the person’s last session.' }),
    target: z.strictObject({ type: z.string(), id }).meta({ id: 'NotificationTarget' }).nullable(),
    url: z.url().meta({ description: 'The screen of the dashboard that shows it.' }),
    created_at: isoTime,
    read_at: nullableTime,
  })
  .meta({
    id: 'Notification',
    examples: [
      {
        id: '0197a0c4-dddd-7d30-9b64-2f1f0d3c8a11',
        kind: 'approval.requested',
        text: 'An agent asks for your approval: article.delete.',
        target: { type: 'approval', id: '0197a0c4-cccc-7d30-9b64-2f1f0d3c8a11' },
        url: 'https://cms.example.com/dashboard/0197a0c4-aaaa-7d30-9b64-2f1f0d3c8a11/approvals/0197a0c4-cccc-7d30-9b64-2f1f0d3c8a11',
        created_at: '2026-03-01T09:30:00.000Z',
        read_at: null,
      },
    ],
  });

export const NotificationPage = pageOf(NotificationShape).meta({ id: 'NotificationPage' });

export const NotificationQuery = z.strictObject({
  cursor,
  limit: limit(),
  unread: z.enum(['true']).meta({ description: 'Only what is unread.' }).optional(),
});

const exactlyOne = rule(
  z.looseObject({ ids: z.unknown().optional(), before: z.unknown().optional() }),
  ({ ids, before }) =>
    (ids === undefined) === (before === undefined)
      ? [{ path: ['ids'], message: 'exactly one of ids and before is required' }]
      : [],
);

export const NotificationsRead = z
  .strictObject({
    ids: z
      .array(uuid)
      .min(1, 'must not be empty')
      .max(1_000, 'must have at most 1000 ids')
      .meta({ description: 'Those that are not the person’s are ignored.' })
      .optional(),
    before: dateTime.meta({ description: 'Everything that came before. Exclusive.' }).optional(),
  })
  .check(exactlyOne)
  .meta({ id: 'NotificationsRead', examples: [{ before: '2026-03-01T10:00:00Z' }] });

const muted = z.array(z.enum(mutable, { error: `must be one of ${mutable.join(', ')}` })).max(100);

export const NotificationSettingsWrite = z
  .strictObject({
    email: z
      .boolean()
      .meta({ description: 'Whether the person gets mail. `security.*` is always sent.' })
      .optional(),
    digest: z.enum(digests).optional(),
    muted: muted.meta({ description: 'Kinds that are kept out of mail; the list has them.' }).optional(),
  })
  .meta({ id: 'NotificationSettingsWrite', examples: [{ digest: 'daily', muted: ['comment.held'] }] });

export const NotificationSettingsShape = z
  .strictObject({ email: z.boolean(), digest: z.enum(digests), muted: z.array(z.string()) })
  .meta({
    id: 'NotificationSettings',
    examples: [{ email: true, digest: 'daily', muted: ['comment.held'] }],
  });
