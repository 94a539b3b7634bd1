import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { wideNetwork } from '../access/client-network.ts';
import { requireRoomInNetwork } from '../access/open-requests.ts';
import { roleCoversScope } from '../access/scopes.ts';
import type { Scope } from '../access/scopes.ts';
import type { Role } from '../access/permissions.ts';
import { recordAudit } from '../audit/record.ts';
import type { Actor } from '../audit/record.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { underMaintenance } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { findMaintenance } from '../organisations/sites.ts';
import { CODE_LIFETIME_MS } from './grant.ts';
import { generateToken, hashToken } from './tokens.ts';

/** Clients that can refresh a key of one Site. */
const GRANT_LIMIT = 1_000;

/** A client's request. */
export interface AskedAccess {
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string;
}

/** Who decides, and for which Site. */
export interface Consenting {
  readonly actor: Actor;
  readonly memberId: string;
  readonly role: Role;
  readonly site: { readonly id: string; readonly organisationId: string };
  readonly clientAddress: string;
}

/** The scopes that a person can give. */
export const grantable = (asked: readonly Scope[], role: Role): readonly Scope[] =>
  asked.filter((scope) => roleCoversScope(role, scope));

/**
 * Lets a client have a key of a Site.
 *
 * @returns the code with which the client collects it, which can be read at this moment only
 * @throws ServiceError MAINTENANCE; CONFLICT if too many clients have keys of the Site, or too many requests are open in
 *   the person's network
 */
export async function grantAccess(
  tx: Transaction,
  asked: AskedAccess,
  by: Consenting & { readonly draftsOnly: boolean },
  now: Date,
): Promise<string> {
  await refuseMaintenance(tx, by);
  await requireRoom(tx, by.site.id, {
    limit: GRANT_LIMIT,
    existing: sql.fragment`
      select from oauth_grants where site_id = ${by.site.id} and expires_at > ${at(now)} limit ${GRANT_LIMIT}`,
    message: `${GRANT_LIMIT} clients have access to this Site, which is the limit. One that is not used for 30 days loses it.`,
  });
  const network = wideNetwork(by.clientAddress);
  await requireRoomInNetwork(tx, network, now);
  const id = newId();
  const code = generateToken();
  const granted = grantable(asked.scopes, by.role);
  await tx.exec(statement`
    insert into oauth_grants (
      id, site_id, member_id, client_id, client_name, redirect_uri, resource, scopes, drafts_only, code_hash,
      code_challenge, client_network, created_at, expires_at
    ) values (
      ${id}, ${by.site.id}, ${by.memberId}, ${asked.clientId}, ${asked.clientName}, ${asked.redirectUri},
      ${asked.resource}, ${array([...granted], 'text')}, ${by.draftsOnly}, ${sql.binary(hashToken(code))},
      ${asked.codeChallenge}, ${network}, ${at(now)}, ${at(new Date(now.getTime() + CODE_LIFETIME_MS))}
    )`);
  record(tx, 'oauth_grant.approve', id, { ...asked, scopes: granted }, by, now, {
    drafts_only: by.draftsOnly,
  });
  return code;
}

/** @throws ServiceError MAINTENANCE */
export async function denyAccess(
  tx: Transaction,
  asked: AskedAccess,
  by: Consenting,
  now: Date,
): Promise<void> {
  await refuseMaintenance(tx, by);
  record(tx, 'oauth_grant.deny', newId(), asked, by, now);
}

async function refuseMaintenance(tx: Transaction, { site }: Consenting): Promise<void> {
  const maintenance = await findMaintenance(tx, site.id);
  if (maintenance !== null) throw underMaintenance(maintenance);
}

const record = (
  tx: Transaction,
  action: 'oauth_grant.approve' | 'oauth_grant.deny',
  id: string,
  { clientId, clientName, scopes }: AskedAccess,
  { actor, site }: Consenting,
  now: Date,
  more = {},
): void =>
  recordAudit(
    tx,
    {
      actor,
      action,
      target: { type: 'oauth_grant', id },
      siteId: site.id,
      organisationId: site.organisationId,
      details: { client_id: clientId, client_name: clientName, scopes, ...more },
    },
    now,
  );
