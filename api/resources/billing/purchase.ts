import type { Payments } from '../../../adapters/payments/create-payments.ts';
import { adoptCustomer, readAccount } from '../../../domain/billing/account.ts';
import { ProviderError } from '../../../domain/billing/provider.ts';
import type { Price } from '../../../domain/billing/provider.ts';
import type { Site } from '../../../domain/kernel/site.ts';
import { ServiceError, unavailable } from '../../../domain/kernel/errors.ts';
import type { FieldMessages } from '../../../packages/base/mistakes.ts';
import type { Ports } from '../../framework/ports.ts';

const notSold = (why: string): ServiceError =>
  new ServiceError(
    'FEATURE_UNAVAILABLE',
    `${why} An operator can give credits with \`presswork admin credits grant\`.`,
  );

/** @throws ServiceError FEATURE_UNAVAILABLE if this installation sells nothing */
export function requirePayments({ payments }: Pick<Ports, 'payments'>): Payments {
  if (payments === null) throw notSold('Nothing can be bought here: no payment provider is set up.');
  return payments;
}

/** The answer if the provider does not do it: 503, as for every server that the service depends on. */
export async function withProvider<T>({ log }: Pick<Ports, 'log'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // A wrong key or a wrong price needs an operator.
    if (!error.passing) log.error({ err: error }, 'the payment provider refused a request');
    throw unavailable(error);
  }
}

/** The offer of a name. @param kind the member that has the name */
export function soldAs(payments: Payments | null, kind: 'pack' | 'plan', name: unknown): FieldMessages {
  if (payments === null || typeof name !== 'string') return {};
  const names: readonly string[] = [...payments.catalogue[kind === 'pack' ? 'packs' : 'plans'].keys()];
  if (names.includes(name)) return {};
  const right = names.length === 0 ? `no ${kind} is sold here` : `must be one of ${names.join(', ')}`;
  return { [kind]: right };
}

/** A price that was set up. @throws ServiceError FEATURE_UNAVAILABLE if the provider does not have it */
export async function requirePrice({ provider }: Payments, name: string, priceId: string): Promise<Price> {
  const price = await provider.readPrice(priceId);
  if (price === null) throw notSold(`${name} cannot be bought: the payment provider has no price for it.`);
  return price;
}

/** The price of a pack. @throws ServiceError FEATURE_UNAVAILABLE if its price says no credits */
export async function requirePack(
  payments: Payments,
  name: string,
): Promise<{ readonly price: Price; readonly credits: number }> {
  const price = await requirePrice(payments, name, payments.catalogue.packs.get(name) ?? '');
  if (price.credits === null) throw notSold(`${name} cannot be bought: its price says no credits.`);
  return { price, credits: price.credits };
}

/** The organisation's customer at the provider, which is created once. */
export async function requireCustomer(
  { db }: Pick<Ports, 'db'>,
  { provider }: Payments,
  { organisationId }: Pick<Site, 'organisationId'>,
  now: Date,
): Promise<string> {
  const { customer_id: known, name, version } = await readAccount(db, organisationId);
  if (known !== null) return known;
  // The same key for all who ask at the same time: one customer.
  const created = await provider.createCustomer(
    { organisationId, name },
    `customer/${organisationId}/${version}`,
  );
  return db.transaction((tx) => adoptCustomer(tx, organisationId, created, now));
}
