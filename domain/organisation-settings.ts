import { z } from 'zod';
import type { Transaction } from '../db/transaction.ts';
import type { Queryable } from '../db/statements.ts';
import { array, sql, timestamp } from '../db/sql.ts';
import { gatedOperations } from './approvals/gated-operations.ts';
import type { GatedOperation } from './approvals/gated-operations.ts';
import { recordAudit } from './audit.ts';
import type { Actor } from './audit.ts';
import { ServiceError } from './errors.ts';
import type { Plan } from './plans.ts';

const settingsRow = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string().transform((plan) => plan as Plan),
  agent_access: z.boolean(),
  approval_operations: z.array(z.string()).nullable(),
  version: z.number(),
  created_at: timestamp,
});

export type OrganisationSettings = z.infer<typeof settingsRow>;

const columns = sql.fragment`id, name, plan, agent_access, approval_operations, version, created_at`;

export interface SettingsChanges {
  readonly name?: string | undefined;
  readonly agent_access?: boolean | undefined;
  /** null for those that the product names. */
  readonly approval_operations?: readonly GatedOperation[] | null | undefined;
}

export const readSettingsOf = (db: Queryable, organisationId: string): Promise<OrganisationSettings> =>
  db.one(sql.type(settingsRow)`select ${columns} from organisations where id = ${organisationId}`);

/** Reads and locks until the transaction ends. */
export const getSettingsForChange = (
  tx: Transaction,
  organisationId: string,
): Promise<OrganisationSettings> =>
  tx.one(sql.type(settingsRow)`
    select ${columns} from organisations where id = ${organisationId} for no key update`);

/** @throws ServiceError FORBIDDEN for an agent that would change what agents may do */
export function refusePersonOnly(heldByAgent: boolean, changes: SettingsChanges): void {
  if (!heldByAgent) return;
  if (changes.agent_access === undefined && changes.approval_operations === undefined) return;
  throw new ServiceError(
    'FORBIDDEN',
    'agent_access and approval_operations are for a person to change: this key is held by an agent.',
  );
}

/** Changes what differs, in the transaction that locked `current`; where nothing does, the version stays. */
export async function changeSettings(
  tx: Transaction,
  actor: Actor,
  current: OrganisationSettings,
  changes: SettingsChanges,
  now: Date,
): Promise<OrganisationSettings> {
  const wanted = {
    name: changes.name ?? current.name,
    agent_access: changes.agent_access ?? current.agent_access,
    approval_operations:
      changes.approval_operations === undefined
        ? current.approval_operations
        : inOrder(changes.approval_operations),
  };
  const differs = (name: keyof typeof wanted): boolean =>
    JSON.stringify(wanted[name]) !== JSON.stringify(current[name]);
  const changed = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(differs);
  if (changed.length === 0) return current;
  const operations = wanted.approval_operations;
  const saved = await tx.one(sql.type(settingsRow)`
    update organisations set name = ${wanted.name}, agent_access = ${wanted.agent_access},
      approval_operations = ${operations === null ? null : array(operations, 'text')}, version = version + 1
    where id = ${current.id} returning ${columns}`);
  const details = Object.fromEntries(changed.map((name) => [name, wanted[name]]));
  const target = { type: 'organisation', id: current.id };
  await recordAudit(
    tx,
    { actor, action: 'organisation.update', target, siteId: null, organisationId: current.id, details },
    now,
  );
  return saved;
}

/** Each once, in the order of the product's own list. */
const inOrder = (operations: readonly string[] | null): readonly string[] | null =>
  operations && gatedOperations.filter((operation) => operations.includes(operation));

export const presentSettings = (settings: OrganisationSettings) => ({
  id: settings.id,
  name: settings.name,
  plan: settings.plan,
  agent_access: settings.agent_access,
  approval_operations: settings.approval_operations ?? [...gatedOperations],
  created_at: settings.created_at.toISOString(),
});
