import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, sql, timestamp } from '../../db/sql.ts';
import { defaultGates, gatedOperations, gatesInForce } from '../approvals/gated-operations.ts';
import type { GatedOperation } from '../approvals/gated-operations.ts';
import { differences } from '../audit/details.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import type { Plan } from '../kernel/plans.ts';

const settingsRow = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string().transform((plan) => plan as Plan),
  agent_access: z.boolean(),
  approval_operations: z.array(z.string()).nullable(),
  approval_operations_offered: z.array(z.string()),
  version: z.number(),
  created_at: timestamp,
});

export type OrganisationSettings = z.infer<typeof settingsRow>;

const columns = sql.fragment`
  id, name, plan, agent_access, approval_operations, approval_operations_offered, version, created_at`;

export interface SettingsChanges {
  readonly name?: string | undefined;
  readonly agent_access?: boolean | undefined;
  /** null for the product's default list. */
  readonly approval_operations?: readonly GatedOperation[] | null | undefined;
}

export const readSettingsOf = (db: Queryable, organisationId: string): Promise<OrganisationSettings> =>
  db.one(sql.type(settingsRow)`select ${columns} from organisations where id = ${organisationId}`);

/** Reads the settings and locks them until the transaction ends. */
export const getSettingsForUpdate = (
  tx: Transaction,
  organisationId: string,
): Promise<OrganisationSettings> =>
  tx.one(sql.type(settingsRow)`
    select ${columns} from organisations where id = ${organisationId} for no key update`);

/** Updates the settings that differ, in the transaction that locked `current`. Without a change the version stays. */
export async function changeSettings(
  act: Act,
  current: OrganisationSettings,
  changes: SettingsChanges,
): Promise<OrganisationSettings> {
  // What is in force is compared, so that a list can take out what came after it was stored.
  const before = {
    ...current,
    approval_operations: current.approval_operations && inOrder(gatesInForce(current)),
  };
  const wanted = {
    name: changes.name ?? current.name,
    agent_access: changes.agent_access ?? current.agent_access,
    approval_operations:
      changes.approval_operations === undefined
        ? before.approval_operations
        : inOrder(changes.approval_operations),
  };
  const details = differences(before, { ...before, ...wanted }, [
    'name',
    'agent_access',
    'approval_operations',
  ]);
  if (Object.keys(details).length === 0) return current;
  const operations = wanted.approval_operations;
  const saved = await act.tx.one(sql.type(settingsRow)`
    update organisations set name = ${wanted.name}, agent_access = ${wanted.agent_access},
      approval_operations = ${operations === null ? null : array(operations, 'text')},
      approval_operations_offered = ${array(defaultGates, 'text')}, version = version + 1
    where id = ${current.id} returning ${columns}`);
  const target = { type: 'organisation', id: current.id };
  recordOrganisationChange(act, 'organisation.update', current.id, target, details);
  return saved;
}

/** Without duplicates, in the order of the product's list. */
const inOrder = (operations: readonly string[] | null): readonly string[] | null =>
  operations && gatedOperations.filter((operation) => operations.includes(operation));
