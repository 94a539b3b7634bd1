/** Removes control characters except tab and line feed, and replaces lone surrogates; the API rejects both. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '')
    .trim();

/** Length in Unicode code points. */
export const lengthOf = (text: string): number => [...text].length;

/** Truncates a text to `limit` code points. */
export const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : [...text].slice(0, limit).join('').trimEnd();

/** Whether the API accepts it as a URL. */
export const isWebUrl = (value: string): boolean =>
  value.length <= 2_000 && /^https?:\/\/[^\s<>"\\^`{|}]+$/i.test(value) && URL.canParse(value);

/** Makes a URL absolute if possible, and escapes it. */
export function resolveUrl(address: string, base: string | null): string {
  const trimmed = address.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return trimmed;
  const url = URL.parse(trimmed, base ?? undefined);
  if (url === null) return trimmed;
  // A valid absolute URL stays as it is.
  return isWebUrl(trimmed) ? trimmed : url.href;
}
