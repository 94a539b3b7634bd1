import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import type { AuditAction } from '../audit/actions.ts';
import { differences } from '../audit/details.ts';
import type { Details } from '../audit/details.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { conflict } from '../kernel/errors.ts';
import type { ServiceError } from '../kernel/errors.ts';
import { notify } from '../notifications/notify.ts';
import { newId } from '../kernel/ids.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { endpointColumns, endpointRow } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { recordDeletedEndpoint } from './leftovers.ts';
import { clearQueue } from './queue.ts';
import { generateSigningSecret } from './signing-secret.ts';

const endpointsRow = z.object({ endpoints: z.number() });

/** The most endpoints of a Site (docs/spec/service-api.md, Limits). */
export const ENDPOINT_LIMIT = 10;

const DISABLED_BY_REQUEST = 'disabled by request';

export interface EndpointWithSecret {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

export const tooManyEndpoints = (): ServiceError =>
  conflict(`A Site has at most ${ENDPOINT_LIMIT} webhook endpoints. Delete one first.`);

/** Whether a Site has reached its limit of endpoints. */
export async function hasAllEndpoints(db: Queryable, siteId: string): Promise<boolean> {
  const { endpoints } = await db.one(sql.type(endpointsRow)`
    select count(*)::int as endpoints from webhook_endpoints where site_id = ${siteId}`);
  return endpoints >= ENDPOINT_LIMIT;
}

/**
 * Locks the Site's row until the transaction ends, so that the limit holds for concurrent creations.
 *
 * @throws ServiceError CONFLICT for the eleventh endpoint
 */
export async function requireRoom(tx: Transaction, siteId: string): Promise<void> {
  await tx.exec(statement`select from sites where id = ${siteId} for no key update`);
  if (await hasAllEndpoints(tx, siteId)) throw tooManyEndpoints();
}

/** Creates an endpoint, after {@link requireRoom}. */
export async function createEndpoint(
  change: Change,
  box: SecretBox,
  values: {
    readonly url: string;
    readonly events: readonly string[];
    readonly description?: string | null | undefined;
  },
): Promise<EndpointWithSecret> {
  const { tx, site, now } = change;
  const id = newId();
  const secret = generateSigningSecret();
  const endpoint = await tx.one(sql.type(endpointRow)`
    insert into webhook_endpoints as w (id, site_id, url, events, description, secret, created_at, updated_at)
    values (${id}, ${site.id}, ${values.url}, ${array([...new Set(values.events)], 'text')}, ${values.description ?? null},
      ${sql.binary(box.seal(secret, id))}, ${at(now)}, ${at(now)})
    returning ${endpointColumns}`);
  wakeWorkflow(change, id);
  audit(change, 'webhook.create', endpoint, known(endpoint));
  const target = { type: 'webhook', id };
  notify(tx, { kind: 'security.webhook_created', siteId: site.id, actor: change.actor, target }, now);
  return { endpoint, secret };
}

export interface EndpointChanges {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
}

/**
 * Updates the given fields that differ. Disabling ends pending retries; enabling clears reason and counter, and replays
 * nothing (docs/spec/service-api.md, Delivery and retry rules).
 */
export async function updateEndpoint(
  change: Change,
  current: Endpoint,
  sent: EndpointChanges,
): Promise<Endpoint> {
  const { tx, now } = change;
  const events = sent.events && [...new Set(sent.events)];
  const next = {
    url: sent.url ?? current.url,
    events: events ?? current.events,
    description: sent.description === undefined ? current.description : sent.description,
    enabled: sent.enabled ?? current.enabled,
  };
  const toggled = next.enabled !== current.enabled;
  const same =
    !toggled &&
    next.url === current.url &&
    next.description === current.description &&
    next.events.join() === current.events.join();
  if (same) return current;
  const endpoint = await tx.one(sql.type(endpointRow)`
    update webhook_endpoints w set
      url = ${next.url}, events = ${array(next.events, 'text')}, description = ${next.description},
      enabled = ${next.enabled},
      disabled_reason = case when ${next.enabled}::boolean then null else coalesce(w.disabled_reason, ${DISABLED_BY_REQUEST}) end,
      disabled_at = case when ${next.enabled}::boolean then null else coalesce(w.disabled_at, ${at(now)}) end,
      consecutive_failures = case when ${toggled && next.enabled}::boolean then 0 else w.consecutive_failures end,
      version = w.version + 1, updated_at = ${at(now)}
    where w.id = ${current.id}
    returning ${endpointColumns}`);
  // In both directions, because a concurrent event may have added a delivery after the disabling.
  if (toggled) {
    await clearQueue(tx, endpoint.id, 'all');
    wakeWorkflow(change, endpoint.id);
  }
  const action = toggled ? (next.enabled ? 'webhook.enable' : 'webhook.disable') : 'webhook.update';
  audit(change, action, endpoint, changed(current, endpoint));
  return endpoint;
}

/** Issues a new secret; the old one is no longer used (docs/spec/service-api.md, Delivery and retry rules). */
export async function rotateSecret(
  change: Change,
  box: SecretBox,
  current: Endpoint,
): Promise<EndpointWithSecret> {
  const { tx, now } = change;
  const secret = generateSigningSecret();
  const endpoint = await tx.one(sql.type(endpointRow)`
    update webhook_endpoints w
    set secret = ${sql.binary(box.seal(secret, current.id))}, version = w.version + 1, updated_at = ${at(now)}
    where w.id = ${current.id}
    returning ${endpointColumns}`);
  audit(change, 'webhook.rotate_secret', endpoint, { host: hostOf(endpoint) });
  return { endpoint, secret };
}

/**
 * Deletes an endpoint. Its log and its queue can no longer be found; housekeeping removes them, however many rows they
 * have.
 */
export async function deleteEndpoint(change: Change, current: Endpoint): Promise<void> {
  await change.tx.exec(statement`delete from webhook_endpoints where id = ${current.id}`);
  await recordDeletedEndpoint(change.tx, current.id, change.now);
  wakeWorkflow(change, current.id);
  audit(change, 'webhook.delete', current, known(current));
}

/** Has the endpoint's workflow look: it starts with the endpoint, shows its state, and ends after its deletion. */
const wakeWorkflow = ({ tx, site, now }: Change, endpointId: string): void =>
  signalWorkflow(tx, 'webhook-endpoint', { endpointId, siteId: site.id }, now);

/** The address of an endpoint for the log: the host only, because the rest of its URL may contain a token. */
const hostOf = ({ url }: Endpoint): string => new URL(url).host;

const known = (endpoint: Endpoint): Details => ({
  host: hostOf(endpoint),
  events: endpoint.events,
  enabled: endpoint.enabled,
});

function changed(before: Endpoint, after: Endpoint): Details {
  const host = { before: hostOf(before), after: hostOf(after) };
  return {
    // Two equal hosts mean that another part of the URL was changed.
    ...(before.url !== after.url && { host }),
    ...differences(before, after, ['events', 'enabled', 'description']),
  };
}

const audit = (change: Change, action: AuditAction, { id }: Endpoint, details: Details): void =>
  recordChange(change, action, { type: 'webhook', id }, details);
