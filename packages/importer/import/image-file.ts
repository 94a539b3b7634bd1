/** The types of the media library, by their first bytes; the registration checks the rest. */
const types = [
  { mime: 'image/jpeg', extension: 'jpg', begins: /^\xff\xd8\xff/ },
  { mime: 'image/png', extension: 'png', begins: /^\x89PNG\r\n/ },
  { mime: 'image/gif', extension: 'gif', begins: /^GIF8[79]a/ },
  { mime: 'image/webp', extension: 'webp', begins: /^RIFF[^]{4}WEBP/ },
  { mime: 'image/avif', extension: 'avif', begins: /^[^]{4}ftyp(?:avi[fs]|[^]{8,48}avi[fs])/ },
] as const;

export type ImageType = (typeof types)[number];

export function imageTypeOf(bytes: Buffer): ImageType | null {
  const head = bytes.subarray(0, 64).toString('latin1');
  return types.find(({ begins }) => begins.test(head)) ?? null;
}

/**
 * The file name of an uploaded image. It ends with the digest of the image's original URL, by which a later run finds
 * it in the library; nothing else stored about an image tells its origin.
 */
export function fileNameOf(href: string, digest: string, { extension }: ImageType): string {
  const last = new URL(href).pathname.split('/').at(-1) ?? '';
  const stem = decoded(last)
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .toWellFormed();
  return `${[...stem].slice(0, 100).join('') || 'image'}-${digest}.${extension}`;
}

export const digestOfFileName = (fileName: string | null): string | null =>
  /-([0-9a-f]{32})\.[a-z]{3,4}$/.exec(fileName ?? '')?.[1] ?? null;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
