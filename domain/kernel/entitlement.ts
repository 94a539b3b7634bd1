import { ServiceError } from './errors.ts';
import { plans } from './plans.ts';
import type { Plan } from './plans.ts';

/** The second check of operations that cost credits, after the scope (docs/spec/service-api.md, Errors, rule 2). */
export function refuseWithoutEntitlement({ plan }: { readonly plan: Plan }): ServiceError | null {
  if (plans[plan].entitlements.includes('pipeline')) return null;
  return new ServiceError(
    'NOT_ENTITLED',
    `The plan ${plans[plan].name} does not include the AI pipeline, nor scans.`,
  );
}
