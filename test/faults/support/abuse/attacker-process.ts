import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../../../support/builders.ts';
import { strangers } from './strangers.ts';
import type { Abuse } from './strangers.ts';
import { HostileTenant } from './tenant.ts';

/**
 * Generates the hostile traffic in a separate process, so that it does not delay the measured neighbour. Its parent
 * sends orders and gets an answer to each.
 */

export interface Attack {
  readonly origin: string;
  readonly tenant: Tenant;
  readonly agentKey: string;
  /** The receivers of the tenant's webhooks. */
  readonly hooks: readonly string[];
}

export type Order = { readonly prepare: Attack } | { readonly abuseMs: number } | { readonly leave: true };

let hostile: HostileTenant;
let abuses: readonly Abuse[] = [];

/** @returns the answers that must not occur */
async function carryOut(order: Order): Promise<readonly string[]> {
  if ('abuseMs' in order) return abuse(order.abuseMs);
  if ('leave' in order) {
    await hostile.leave();
    return [];
  }
  const { origin, tenant, agentKey, hooks } = order.prepare;
  hostile = new HostileTenant(origin, tenant, agentKey);
  const image = await hostile.uploadImage();
  await hostile.prepare(hooks);
  abuses = [...strangers(origin, image), ...hostile.abuses()];
  return [];
}

/** Repeats each of them until the time is over. */
async function abuse(forMs: number): Promise<readonly string[]> {
  const end = Date.now() + forMs;
  const wrong: string[] = [];
  await Promise.all(
    abuses.map(async ({ name, pauseMs, act }) => {
      while (Date.now() < end) {
        await act().catch((error: unknown) => void wrong.push(`${name}: ${String(error)}`));
        await sleep(pauseMs);
      }
    }),
  );
  return wrong;
}

process.on('message', (order: Order) => {
  carryOut(order).then(
    (wrong) => process.send?.(wrong),
    (error: unknown) => process.send?.([String(error)]),
  );
});
process.on('disconnect', () => process.exit());
