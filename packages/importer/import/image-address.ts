import { publicImageKey, requestedFormats, variantWidths } from '../../base/public-images.ts';
import type { ImageToUpload } from './image-upload.ts';

/** Where an image is, and the rest of its URL. */
export interface ImageAddress {
  /** Normalized and absolute. */
  readonly href: string;
  /** The end of the URL of a copy, such as the width in which the image is shown. */
  readonly suffix: string;
}

/** The end of the path of a public image of Presswork. */
const published = new RegExp(`/${publicImageKey}$`);

/** @returns null if the URL is not http or https */
export function addressOf(url: string, sourceUrl: string | null): ImageAddress | null {
  // Nothing says that the address of the source is one: it is needed for relative addresses alone.
  const base = sourceUrl ?? '';
  const parsed =
    URL.parse(url) ?? URL.parse(url, base) ?? (url.startsWith('//') ? URL.parse(`https:${url}`) : null);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  parsed.hash = '';
  const { search } = parsed;
  if (!published.test(parsed.pathname) || !isVariant(parsed.searchParams)) {
    return { href: parsed.href, suffix: '' };
  }
  // The copy has variants too, so the whole image is copied.
  parsed.search = '';
  return { href: parsed.href, suffix: search };
}

/** The bucket of a public image of Presswork; null for all other images. */
export const bucketOf = (href: string): ImageToUpload['bucket'] | null =>
  (published.exec(new URL(href).pathname)?.[1] as ImageToUpload['bucket'] | undefined) ?? null;

/** Whether a query asks for a smaller version of an image (docs/spec/rulings.md, 20, Image variants). */
function isVariant(query: URLSearchParams): boolean {
  const names = [...query.keys()].toSorted().join(' ');
  if (names !== 'width' && names !== 'format width') return false;
  const isWidth = variantWidths.some((each) => String(each) === query.get('width'));
  const format = query.get('format') ?? 'auto';
  return isWidth && requestedFormats.some((each) => each === format);
}
