import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededSite } from '../seed.ts';
import { register } from './endpoint.ts';
import type { Outcome } from './endpoint.ts';
import type { WebhookStack } from './stack.ts';

/** Publishes per second in the parts that do not measure throughput. */
const PACE = 20;
export const SETTLE_MS = 60_000;

export const site = ({ small }: WebhookStack['seeded'], index: number): SeededSite =>
  small[index] as SeededSite;

/** Publishes the drafts of a Site, one by one. */
export function publisher({ call }: WebhookStack, owner: SeededSite) {
  let next = 0;
  const one = async (): Promise<void> => {
    await call(owner, 'POST', `/articles/${owner.drafts[next++]}/publish`);
  };
  return {
    one,
    /** At a constant rate, whether or not earlier requests were answered. */
    async paced(durationMs: number): Promise<void> {
      const begun = Date.now();
      const under: Promise<void>[] = [];
      for (let count = 0; count < (durationMs / 1_000) * PACE; count += 1) {
        await sleep(Math.max(0, begun + (count * 1_000) / PACE - Date.now()));
        under.push(one());
      }
      await Promise.all(under);
    },
  };
}

/** A live endpoint among dead ones, at the same rate. */
export async function paced(
  stack: WebhookStack,
  owner: SeededSite,
  dead: number,
  measureMs: number,
): Promise<Outcome> {
  for (let count = 0; count < dead; count += 1) await register(stack, owner, true);
  const endpoint = await register(stack, owner);
  await publisher(stack, owner).paced(measureMs);
  return endpoint.settle(SETTLE_MS);
}
