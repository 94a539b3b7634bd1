import { z } from 'zod';
import { columnsOf, timestamp } from '../../db/sql.ts';

export const keyRow = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['publishable', 'secret']),
  key_prefix: z.string(),
  scopes: z.array(z.string()),
  held_by_agent: z.boolean(),
  drafts_only: z.boolean(),
  last_used_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  version: z.number(),
  rotations: z.number(),
  created_at: timestamp,
  /** Of a key of the dashboard: the session that it ends with. */
  session_id: z.string().nullable(),
});

export type ApiKey = z.infer<typeof keyRow>;

export const keyColumns = columnsOf(keyRow, 'k');
