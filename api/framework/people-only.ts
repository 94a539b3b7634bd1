import type { Caller } from '../../domain/access/authenticate.ts';
import { ServiceError } from '../../domain/kernel/errors.ts';

/** The additional check of an operation that keys of agents may not call, even with an approval. */
export const peopleOnly =
  (what: string) =>
  ({ heldByAgent }: Caller): ServiceError | null =>
    heldByAgent
      ? new ServiceError('FORBIDDEN', `Only a person can ${what}. Use a key that is not held by an agent.`)
      : null;
