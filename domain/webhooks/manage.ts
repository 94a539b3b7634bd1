import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { recordAudit } from '../audit.ts';
import type { Actor } from '../audit.ts';
import { conflict } from '../errors.ts';
import { newId } from '../ids.ts';
import type { SecretBox } from '../secret-box.ts';
import { endpointColumns, endpointRow } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { clearQueue } from './queue.ts';

const endpointsRow = z.object({ endpoints: z.number() });

/** Endpoints a Site may have (specification, Limits). */
export const ENDPOINT_LIMIT = 10;

const DISABLED_BY_REQUEST = 'disabled by request';

/** Who changes something, where and when. */
export interface Change {
  readonly tx: Transaction;
  readonly site: Pick<Site, 'id' | 'organisationId'>;
  readonly actor: Actor;
  readonly now: Date;
}

export interface EndpointWithSecret {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

/** `whsec_` and 43 base64url characters; the whole string is the HMAC key (decisions 7). */
export const generateSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

/** @throws ServiceError CONFLICT for the eleventh endpoint */
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
  // Creations of one Site come one after another, so that the limit holds when they race.
  await tx.exec(statement`select from sites where id = ${site.id} for no key update`);
  const { endpoints } = await tx.one(sql.type(endpointsRow)`
    select count(*)::int as endpoints from webhook_endpoints where site_id = ${site.id}`);
  if (endpoints >= ENDPOINT_LIMIT) {
    throw conflict(`A Site has at most ${ENDPOINT_LIMIT} webhook endpoints. Delete one first.`);
  }
  const id = newId();
  const secret = generateSigningSecret();
  const endpoint = await tx.one(sql.type(endpointRow)`
    insert into webhook_endpoints as w (id, site_id, url, events, description, secret, created_at, updated_at)
    values (${id}, ${site.id}, ${values.url}, ${array([...new Set(values.events)], 'text')}, ${values.description ?? null},
      ${sql.binary(box.seal(secret, id))}, ${at(now)}, ${at(now)})
    returning ${endpointColumns}`);
  await audit(change, 'webhook.create', endpoint.id, {});
  return { endpoint, secret };
}

export interface EndpointChanges {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
}

/**
 * Writes what is sent and differs. Disabling ends the waiting retries; enabling clears reason and counter and
 * replays nothing (specification, Delivery and retry rules).
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
  // In both directions: an event that raced with the disabling may have left something behind.
  if (toggled) await clearQueue(tx, endpoint.id);
  await audit(
    change,
    toggled ? (next.enabled ? 'webhook.enable' : 'webhook.disable') : 'webhook.update',
    endpoint.id,
    {},
  );
  return endpoint;
}

/** Issues a new secret; the old one stops at once (specification, Delivery and retry rules). */
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
  await audit(change, 'webhook.rotate_secret', endpoint.id, {});
  return { endpoint, secret };
}

/** Deletes an endpoint with its log and what waits for it. */
export async function deleteEndpoint(change: Change, current: Endpoint): Promise<void> {
  await change.tx.exec(statement`delete from webhook_endpoints where id = ${current.id}`);
  await audit(change, 'webhook.delete', current.id, {});
}

const audit = (
  { tx, site, actor, now }: Change,
  action: string,
  id: string,
  details: Record<string, unknown>,
) =>
  recordAudit(
    tx,
    {
      actor,
      action,
      target: { type: 'webhook', id },
      siteId: site.id,
      organisationId: site.organisationId,
      details,
    },
    now,
  );
