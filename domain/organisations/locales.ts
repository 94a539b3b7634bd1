/** Whether a text is a language tag (BCP 47): for another one, text cannot be split into words. */
export function isLocale(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}
