import type { Caller } from '../access/authenticate.ts';
import { roleAllows } from '../access/permissions.ts';
import { withoutPaths } from './config.ts';
import type { Connection } from './connection.ts';
import type { Push } from './push.ts';

/**
 * A connection as the API shows it: never with its secret (docs/spec/rulings.md, 20), and with the path and the query of its
 * address only to those who manage the settings (27).
 */
export const presentConnection = (connection: Connection, { role }: Pick<Caller, 'role'>) => ({
  id: connection.id,
  kind: connection.kind,
  name: connection.name,
  config:
    role !== null && roleAllows(role, 'settings.manage')
      ? connection.config
      : withoutPaths(connection.kind, connection.config),
  secret_set: connection.secret_set,
  auto: connection.auto,
  enabled: connection.enabled,
  last_error: connection.last_error,
  created_at: connection.created_at.toISOString(),
  updated_at: connection.updated_at.toISOString(),
});

export const presentPush = ({ id, connection_id, items, created_at, finished_at }: Push) => ({
  id,
  connection_id,
  items: items.map(({ article_id, status, remote_url, error, attempts }) => ({
    article_id,
    status,
    remote_url,
    error,
    attempts,
  })),
  created_at: created_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null,
});
