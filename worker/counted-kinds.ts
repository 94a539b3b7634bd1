import { subscribe } from 'node:diagnostics_channel';
import { CREDITS_CHANNEL } from '../domain/billing/charge.ts';
import type { CreditsMoved } from '../domain/billing/charge.ts';
import { differenceKinds } from '../domain/billing/reconcile.ts';
import { stages } from '../domain/pipeline/stages.ts';
import { moneyKinds } from '../domain/usage/credits.ts';
import { expectKinds } from '../observability/metrics/billing.ts';
import { creditsCharged, expectStages } from '../observability/metrics/pipeline.ts';

/** Tells the metrics, which know nothing of the product, what a worker counts. */
export function expectCounts(): void {
  expectStages(stages);
  expectKinds(moneyKinds, differenceKinds);
  subscribe(CREDITS_CHANNEL, (moved) => {
    const { movement, amount } = moved as CreditsMoved;
    creditsCharged(movement, amount);
  });
}
