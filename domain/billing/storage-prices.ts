import type { Catalogue } from './catalogue.ts';
import type { StoragePrices } from './overage.ts';
import { ProviderError } from './provider.ts';
import type { PaymentProvider } from './provider.ts';

/**
 * The price of storage beyond the included one; null if it has no price.
 *
 * @throws ProviderError if a price cannot be read, or the prices are not of one currency
 */
export async function readStoragePrices(
  provider: PaymentProvider,
  { overage }: Catalogue,
): Promise<StoragePrices | null> {
  const read = async (id: string | null) => {
    if (id === null) return null;
    const price = await provider.readPrice(id);
    if (price === null) throw new ProviderError(`The price ${id} of storage does not exist`, false);
    return price;
  };
  const [documents, media] = await Promise.all([read(overage.documents), read(overage.mediaBytes)]);
  const currency = documents?.currency ?? media?.currency;
  if (currency === undefined) return null;
  if (media !== null && media.currency !== currency)
    throw new ProviderError('The prices of storage are not of one currency', false);
  return {
    perThousandDocuments: documents?.unitAmount ?? 0,
    perGigabyte: media?.unitAmount ?? 0,
    currency,
  };
}
