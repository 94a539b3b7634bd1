import { useLocale } from '../../text/format.ts';

/** Writes an amount in the smallest unit of a currency. */
export function useMoney(): (amount: number, currency: string) => string {
  const locale = useLocale();
  return (amount, currency) => {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
    return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
  };
}
