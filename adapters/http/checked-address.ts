import type { AllowedHosts } from '../../runtime/allowed-hosts.ts';
import { NetworkFailure } from './failure.ts';
import { type Names, NoTurn } from './names.ts';
import { checkResolved, checkTarget, literalAddress } from './target.ts';

export interface AddressPorts {
  readonly names: Names;
  readonly allowedHosts?: AllowedHosts | undefined;
}

/** Time for a look-up, and for its turn. */
const TIMEOUT_MS = 7_000;
const TURN_MS = 1_500;

/**
 * Resolves the name in a URL once and checks its addresses, for a program that opens its connections itself. It has to
 * be told to connect to the result and nothing else.
 *
 * @param share whose share of look-ups is used, such as a Site's id
 * @returns an address, IPv4 if there is one
 * @throws NetworkFailure
 */
export async function checkedAddress(
  url: string,
  share: string,
  { names, allowedHosts }: AddressPorts,
): Promise<string> {
  const target = checkTarget(url, { allowedHosts });
  if (!target.ok)
    throw new NetworkFailure(
      target.cause === 'private_address' ? 'private_address' : 'protocol',
      target.reason,
    );
  const literal = literalAddress(target.url);
  if (literal !== undefined) return literal;
  const addresses = await names
    .resolve({
      name: target.url.hostname,
      share,
      operators: target.exempt,
      turnMs: TURN_MS,
      onTurn: () => {},
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    .catch((error: unknown) => {
      if (error instanceof NetworkFailure) throw error;
      throw new NetworkFailure('dns', error instanceof NoTurn ? error.message : 'the name did not resolve', {
        cause: error,
      });
    });
  const refused = target.exempt ? undefined : checkResolved(addresses);
  if (refused?.ok === false) throw new NetworkFailure('private_address', refused.reason);
  const found = addresses.find(({ family }) => family === 4) ?? addresses[0];
  if (found === undefined) throw new NetworkFailure('dns', 'the name has no address');
  return found.address;
}
