import { ServiceError } from '../kernel/errors.ts';
import type { Caller } from './authenticate.ts';

/**
 * A key for drafts changes an upload or a bulk job only if that is its own (docs/spec/rulings.md, 23, Keys for drafts).
 *
 * @param maker the key whose it is
 * @throws ServiceError INSUFFICIENT_SCOPE
 */
export function requireOwn({ draftsOnly, keyId }: Caller, maker: string | null, what: string): void {
  if (!draftsOnly || maker === keyId) return;
  throw new ServiceError(
    'INSUFFICIENT_SCOPE',
    `This key is for drafts only: it may do this only with ${what} of its own. Leave it to a person.`,
  );
}
