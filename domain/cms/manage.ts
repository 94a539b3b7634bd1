import { at, json, sql, statement } from '../../db/sql.ts';
import type { AuditAction } from '../audit/actions.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { differences } from '../audit/details.ts';
import type { Details } from '../audit/details.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { notify } from '../notifications/notify.ts';
import { newId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { addressMember, configDefaults, leadsElsewhere } from './config.ts';
import type { ConnectionConfig, ConnectionKind } from './config.ts';
import { connectionColumns, connectionRow } from './connection.ts';
import type { Connection } from './connection.ts';

/** The most connections of a Site (docs/spec/rulings.md, 20). */
export const CONNECTION_LIMIT = 10;

interface NewConnection {
  readonly kind: ConnectionKind;
  readonly name: string;
  readonly config: ConnectionConfig;
  readonly secret: string | null;
  readonly auto: boolean;
  readonly enabled: boolean;
}

/** @throws ServiceError CONFLICT for the eleventh connection */
export async function createConnection(
  change: Change,
  box: SecretBox,
  values: NewConnection,
): Promise<Connection> {
  const { tx, site, now } = change;
  await requireRoom(tx, site.id, {
    limit: CONNECTION_LIMIT,
    existing: sql.fragment`select from cms_connections where site_id = ${site.id} and deleted_at is null`,
    message: `A Site has at most ${CONNECTION_LIMIT} connections. Delete one first.`,
  });
  const id = newId();
  const { kind, name, secret, auto, enabled } = values;
  const config = { ...configDefaults(kind), ...values.config };
  const connection = await tx.one(sql.type(connectionRow)`
    insert into cms_connections as c (id, site_id, kind, name, config, secret, auto, enabled, created_at, updated_at)
    values (${id}, ${site.id}, ${kind}, ${name}, ${json(config)}::jsonb, ${sealed(box, secret, id)}, ${auto}, ${enabled},
      ${at(now)}, ${at(now)})
    returning ${connectionColumns}`);
  wakePushes(change, id);
  audit(change, 'connection.create', connection, known(connection));
  return connection;
}

export interface ConnectionChanges {
  readonly name?: string | undefined;
  /** The members that change. */
  readonly config?: ConnectionConfig | undefined;
  /** Null removes it. */
  readonly secret?: string | null | undefined;
  readonly auto?: boolean | undefined;
  readonly enabled?: boolean | undefined;
}

/**
 * Updates the given members that differ. A connection that leads elsewhere knows nothing about the posts there; what
 * waits is pushed there.
 */
export async function updateConnection(
  change: Change,
  box: SecretBox,
  current: Connection,
  sent: ConnectionChanges,
): Promise<Connection> {
  const { tx, now } = change;
  const next = {
    name: sent.name ?? current.name,
    config: { ...current.config, ...sent.config },
    auto: sent.auto ?? current.auto,
    enabled: sent.enabled ?? current.enabled,
  };
  const changes = differences(current, { ...current, ...next }, ['name', 'config', 'auto', 'enabled']);
  const newSecret = sent.secret !== undefined && (sent.secret !== null || current.secret_set);
  if (Object.keys(changes).length === 0 && !newSecret) return current;
  const elsewhere = leadsElsewhere(current.kind, current.config, next.config);
  if (elsewhere) {
    await tx.exec(statement`delete from cms_remote_posts where connection_id = ${current.id}`);
    await tx.exec(statement`delete from cms_remote_images where connection_id = ${current.id}`);
  }
  const connection = await tx.one(sql.type(connectionRow)`
    update cms_connections c set
      name = ${next.name}, config = ${json(next.config)}::jsonb, auto = ${next.auto}, enabled = ${next.enabled},
      secret = case when ${newSecret}::boolean then ${sealed(box, sent.secret ?? null, current.id)}::bytea else c.secret end,
      generation = c.generation + ${elsewhere ? 1 : 0}::int,
      host_key = case when ${elsewhere}::boolean then null else c.host_key end,
      held_until = case when ${elsewhere}::boolean then null else c.held_until end,
      last_error = case when ${elsewhere || newSecret}::boolean then null else c.last_error end,
      version = c.version + 1, updated_at = ${at(now)}
    where c.id = ${current.id}
    returning ${connectionColumns}`);
  wakePushes(change, current.id);
  const { config, ...others } = changes;
  const host = { before: addressOf(current), after: addressOf(connection) };
  audit(change, 'connection.update', connection, {
    ...others,
    ...(config !== undefined && { host }),
    ...(newSecret && { secret_set: connection.secret_set }),
  });
  return connection;
}

/** Deletes a connection. It cannot be found any more; housekeeping removes its rows, however many there are. */
export async function deleteConnection(change: Change, current: Connection): Promise<void> {
  const { tx, now } = change;
  await tx.exec(statement`
    update cms_connections set deleted_at = ${at(now)}, secret = null, host_key = null, enabled = false
    where id = ${current.id}`);
  wakePushes(change, current.id);
  audit(change, 'connection.delete', current, known(current));
}

/** Has the workflow of a connection look: it shows its state, and ends after its deletion. */
const wakePushes = ({ tx, site, now }: Change, connectionId: string): void =>
  signalWorkflow(tx, 'cms-push', { connectionId, siteId: site.id }, now);

const sealed = (box: SecretBox, secret: string | null, id: string) =>
  secret === null ? sql.fragment`null::bytea` : sql.fragment`${sql.binary(box.seal(secret, id))}`;

/** The address of a connection for the log: the host only, because the rest of a URL may contain a token. */
function addressOf({ kind, config }: Connection): string {
  const address = config[addressMember(kind)] ?? '';
  return URL.parse(address)?.host ?? address.split(':')[0] ?? '';
}

const known = (connection: Connection): Details => ({
  kind: connection.kind,
  name: connection.name,
  host: addressOf(connection),
  auto: connection.auto,
  enabled: connection.enabled,
});

function audit(change: Change, action: AuditAction, { id }: Connection, details: Details): void {
  const { tx, site, actor, now } = change;
  const target = { type: 'connection', id };
  recordChange(change, action, target, details);
  notify(tx, { kind: 'security.connection_changed', siteId: site.id, actor, target }, now);
}
