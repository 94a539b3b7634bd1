/** Without what the API refuses or nobody sees: control characters but tab and line feed, and half surrogate pairs. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '')
    .trim();

/** In Unicode code points. */
export const lengthOf = (text: string): number => [...text].length;

/** The first characters, at most so many code points. */
export const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : [...text].slice(0, limit).join('').trimEnd();

/** Whether the API takes it as an address. */
export const isWebUrl = (value: string): boolean =>
  value.length <= 2_000 && /^https?:\/\/[^\s<>"\\^`{|}]+$/i.test(value) && URL.canParse(value);

/** An address as it can stand in the file: absolute where that can be known, and without characters that need escaping. */
export function resolveUrl(address: string, base: string | null): string {
  const trimmed = address.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return trimmed;
  const url = URL.parse(trimmed, base ?? undefined);
  if (url === null) return trimmed;
  // What is written well stays as it is written.
  return isWebUrl(trimmed) ? trimmed : url.href;
}
