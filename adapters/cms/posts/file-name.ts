/** A name that fits into a header and that no system writes in another way: `Brötchen.png` is `Brotchen.png`. */
export const plainFileName = (fileName: string): string =>
  fileName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-');
