import { z } from 'zod';
import { id, isoTime, pageOf } from '../schema/fields.ts';
import { cursor, limit } from '../schema/query.ts';

const AuditLogEntry = z
  .strictObject({
    id,
    at: isoTime,
    actor: z
      .strictObject({ kind: z.enum(['key', 'person', 'system']), id: id.nullable(), name: z.string() })
      .meta({ description: 'system is the operator’s command, or the product itself; it has no id.' }),
    action: z.string().meta({ description: 'What was done, such as key.create.' }),
    target: z.strictObject({ type: z.string(), id: id.nullable() }).nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditLogEntry' });

export const AuditLogPage = pageOf(AuditLogEntry).meta({ id: 'AuditLogPage' });

export const AuditLogQuery = z.strictObject({ cursor, limit: limit() });
