import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, columnsOf, sql, statement, timestamp } from '../../db/sql.ts';
import { wideNetwork } from '../access/client-network.ts';
import { requireRoomInNetwork } from '../access/open-requests.ts';
import { scopes as allScopes } from '../access/scopes.ts';
import type { Scope } from '../access/scopes.ts';
import { deleteBatch } from '../kernel/batch.ts';
import { newId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import {
  generateDeviceCode,
  generateUserCode,
  hashDeviceCode,
  macUserCode,
  macsOfUserCode,
} from './codes.ts';

/** How long both codes are valid (docs/spec/rulings.md, 11). */
export const CODE_LIFETIME_S = 900;
/** The initial number of seconds between polls; each poll that comes too early adds as many (RFC 8628, 3.5). */
export const POLL_INTERVAL_S = 5;

const authorizationRow = z.object({
  id: z.string(),
  client_name: z.string(),
  scopes: z.array(z.enum(allScopes as [Scope, ...Scope[]])),
  held_by_agent: z.boolean(),
  drafts_only: z.boolean(),
  client_address: z.string(),
  poll_interval: z.number(),
  last_polled_at: timestamp.nullable(),
  created_at: timestamp,
  decision: z.enum(['approved', 'denied']).nullable(),
  member_id: z.string().nullable(),
  deciding_key_id: z.string().nullable(),
  site_id: z.string().nullable(),
  key_id: z.string().nullable(),
});

/** A device's request for a key, and its result. */
export type DeviceAuthorization = z.infer<typeof authorizationRow>;

const columns = columnsOf(authorizationRow, 'a');

export interface DeviceRequest {
  readonly clientName: string;
  /** null requests every scope that the approving person can give. */
  readonly scopes: readonly Scope[] | null;
  readonly heldByAgent: boolean;
  readonly draftsOnly: boolean;
  /** The origin of the request, shown to the person who decides. */
  readonly clientAddress: string;
}

/** The codes, which can be read at this moment only. */
export interface DeviceCodes {
  readonly deviceCode: string;
  readonly userCode: string;
}

/** Records a device's request for a key. @throws ServiceError CONFLICT if too many are open in its network */
export async function startDeviceSignIn(
  tx: Transaction,
  box: SecretBox,
  asked: DeviceRequest,
  now: Date,
): Promise<DeviceCodes> {
  const network = wideNetwork(asked.clientAddress);
  await requireRoomInNetwork(tx, network, now);
  const deviceCode = generateDeviceCode();
  const scopes = [...new Set(asked.scopes ?? allScopes)];
  const expires = new Date(now.getTime() + CODE_LIFETIME_S * 1_000);
  for (;;) {
    const userCode = generateUserCode();
    const written = await tx.exec(statement`
      insert into device_authorizations (
        id, device_code_hash, user_code_mac, client_name, scopes, held_by_agent, drafts_only, client_address,
        client_network, poll_interval, created_at, expires_at
      ) values (
        ${newId()}, ${sql.binary(hashDeviceCode(deviceCode))}, ${sql.binary(macUserCode(box, userCode))},
        ${asked.clientName}, ${array(scopes, 'text')}, ${asked.heldByAgent}, ${asked.draftsOnly},
        ${asked.clientAddress}, ${network}, ${POLL_INTERVAL_S}, ${at(now)}, ${at(expires)}
      ) on conflict on constraint device_authorizations_user_code_mac_key do nothing`);
    if (written === 1) return { deviceCode, userCode };
  }
}

/** Reads an authorization, and locks it until the transaction ends. Null for an unknown or expired code. */
export const lockByDeviceCode = (
  tx: Transaction,
  deviceCode: string,
  now: Date,
): Promise<DeviceAuthorization | null> =>
  tx.maybeOne(sql.type(authorizationRow)`
    select ${columns} from device_authorizations a
    where device_code_hash = ${sql.binary(hashDeviceCode(deviceCode))} and expires_at > ${at(now)} for update`);

/** The same by the code that the person types. */
export const lockByUserCode = (
  tx: Transaction,
  box: SecretBox,
  userCode: string,
  now: Date,
): Promise<DeviceAuthorization | null> => {
  const macs = sql.join(
    macsOfUserCode(box, userCode).map((mac) => sql.binary(mac)),
    sql.fragment`, `,
  );
  return tx.maybeOne(sql.type(authorizationRow)`
    select ${columns} from device_authorizations a
    where user_code_mac in (${macs}) and expires_at > ${at(now)} for update`);
};

/** Deletes a batch of expired authorizations. @returns how many */
export const deleteExpiredAuthorizations = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, { table: 'device_authorizations', by: 'expires_at', until: now, size });
