import { useLanguage } from '../../text/language.ts';

/** Writes an amount in the smallest unit of a currency. */
export function useMoney(): (amount: number, currency: string) => string {
  const language = useLanguage();
  return (amount, currency) => {
    const format = new Intl.NumberFormat(language, { style: 'currency', currency });
    return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
  };
}
