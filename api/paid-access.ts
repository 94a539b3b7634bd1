import type { Caller } from '../domain/access/authenticate.ts';
import { ServiceError } from '../domain/errors.ts';
import { plans } from '../domain/organisations/plans.ts';

/** The second check of what costs credits, after the scope (docs/spec/service-api.md, Errors, rule 2). */
export function refuseWithoutEntitlement({ plan }: Caller): ServiceError | null {
  if (plans[plan].entitlements.includes('pipeline')) return null;
  return new ServiceError(
    'NOT_ENTITLED',
    `The plan ${plans[plan].name} does not include the AI pipeline, nor scans.`,
  );
}
