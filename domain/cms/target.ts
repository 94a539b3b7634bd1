import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';
import { notFound } from '../kernel/errors.ts';
import { urlPathsRow } from '../purge/public-urls.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Remote } from './adapter.ts';
import { connectionKinds } from './config.ts';

/** The columns of a connection that reach its remote, from the tables `c` and `s`. */
export const targetColumns = sql.fragment`
  c.id, c.site_id, c.kind, c.config, c.secret, c.host_key, c.generation, s.name as site_name, s.domain as site_domain,
  s.url_paths as site_url_paths`;

export const targetRow = z.object({
  id: z.string(),
  site_id: z.string(),
  kind: z.enum(connectionKinds),
  config: z.record(z.string(), z.string()),
  secret: z.instanceof(Buffer).nullable(),
  host_key: z.string().nullable(),
  generation: z.number(),
  site_name: z.string(),
  site_domain: z.string(),
  site_url_paths: urlPathsRow,
});

/** Opens the secret of a connection. */
export const remoteOf = (box: SecretBox, connection: z.infer<typeof targetRow>): Remote => ({
  connectionId: connection.id,
  siteId: connection.site_id,
  kind: connection.kind,
  config: connection.config,
  secret: connection.secret === null ? null : box.open(connection.secret, connection.id),
  hostKey: connection.host_key,
  generation: connection.generation,
  site: {
    name: connection.site_name,
    domain: connection.site_domain,
    url_paths: connection.site_url_paths,
  },
});

/** Where a connection of a Site leads. @throws ServiceError NOT_FOUND */
export async function readTarget(db: Queryable, box: SecretBox, siteId: string, id: string): Promise<Remote> {
  const row = await db.maybeOne(sql.type(targetRow)`
    select ${targetColumns} from cms_connections c join sites s on s.id = c.site_id
    where c.id = ${id} and c.site_id = ${siteId} and c.deleted_at is null`);
  if (row === null) throw notFound('connection');
  return remoteOf(box, row);
}
