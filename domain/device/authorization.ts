import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement, timestamp } from '../../db/sql.ts';
import { scopes as allScopes } from '../access/scopes.ts';
import type { Scope } from '../access/scopes.ts';
import { newId } from '../ids.ts';
import type { SecretBox } from '../secret-box.ts';
import { generateDeviceCode, generateUserCode, hashDeviceCode, macUserCode } from './codes.ts';

/** How long both codes are good (decisions 11). */
export const CODE_LIFETIME_S = 900;
/** Seconds between polls, to begin with; each poll that comes too early adds as many (RFC 8628, 3.5). */
export const POLL_INTERVAL_S = 5;

const authorizationRow = z.object({
  id: z.string(),
  client_name: z.string(),
  scopes: z.array(z.enum(allScopes as [Scope, ...Scope[]])),
  held_by_agent: z.boolean(),
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

/** A device that asks for a key, and what became of it. */
export type DeviceAuthorization = z.infer<typeof authorizationRow>;

const columns = sql.fragment`
  id, client_name, scopes, held_by_agent, client_address, poll_interval, last_polled_at, created_at, decision, member_id,
  deciding_key_id, site_id, key_id`;

export interface DeviceRequest {
  readonly clientName: string;
  /** null asks for all that the person who approves can give. */
  readonly scopes: readonly Scope[] | null;
  readonly heldByAgent: boolean;
  /** Where it came from, shown to the person who decides. */
  readonly clientAddress: string;
}

/** The codes, at the one moment at which anybody can read them. */
export interface DeviceCodes {
  readonly deviceCode: string;
  readonly userCode: string;
}

/** Writes down that a device asks for a key. */
export async function startDeviceSignIn(
  tx: Transaction,
  box: SecretBox,
  asked: DeviceRequest,
  now: Date,
): Promise<DeviceCodes> {
  const deviceCode = generateDeviceCode();
  const scopes = [...new Set(asked.scopes ?? allScopes)];
  const expires = new Date(now.getTime() + CODE_LIFETIME_S * 1_000);
  for (;;) {
    const userCode = generateUserCode();
    const written = await tx.exec(statement`
      insert into device_authorizations (
        id, device_code_hash, user_code_mac, client_name, scopes, held_by_agent, client_address, poll_interval,
        created_at, expires_at
      ) values (
        ${newId()}, ${sql.binary(hashDeviceCode(deviceCode))}, ${sql.binary(macUserCode(box, userCode))},
        ${asked.clientName}, ${array(scopes, 'text')}, ${asked.heldByAgent}, ${asked.clientAddress}, ${POLL_INTERVAL_S},
        ${at(now)}, ${at(expires)}
      ) on conflict on constraint device_authorizations_user_code_mac_key do nothing`);
    if (written === 1) return { deviceCode, userCode };
  }
}

/** Reads and locks until the transaction ends. Null for a code that is unknown, or past its time. */
export const lockByDeviceCode = (
  tx: Transaction,
  deviceCode: string,
  now: Date,
): Promise<DeviceAuthorization | null> =>
  tx.maybeOne(sql.type(authorizationRow)`
    select ${columns} from device_authorizations
    where device_code_hash = ${sql.binary(hashDeviceCode(deviceCode))} and expires_at > ${at(now)} for update`);

/** The same by the code that the person types. */
export const lockByUserCode = (
  tx: Transaction,
  box: SecretBox,
  userCode: string,
  now: Date,
): Promise<DeviceAuthorization | null> =>
  tx.maybeOne(sql.type(authorizationRow)`
    select ${columns} from device_authorizations
    where user_code_mac = ${sql.binary(macUserCode(box, userCode))} and expires_at > ${at(now)} for update`);

/** Deletes what is past its time, a batch at a time. @returns how many */
export function deleteExpiredAuthorizations(tx: Transaction, now: Date, batch: number): Promise<number> {
  return tx.exec(statement`
    delete from device_authorizations where ctid = any(array(
      select ctid from device_authorizations where expires_at <= ${at(now)}
      order by expires_at limit ${batch} for update skip locked
    ))`);
}
