import { variantWidths } from '../../packages/base/public-images.ts';
import type { Asset } from './asset.ts';

export type VariantWidth = (typeof variantWidths)[number];

export const variantFormats = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const;

export type VariantFormat = (typeof variantFormats)[number];

/** A smaller version of an image. */
export interface Variant {
  readonly width: VariantWidth;
  readonly format: VariantFormat;
}

/** Under which all variants of an image are stored, beside the image. */
export const variantsPrefix = (objectKey: string): string =>
  `${objectKey.slice(0, objectKey.lastIndexOf('.'))}/`;

export const variantKey = (objectKey: string, { width, format }: Variant): string =>
  `${variantsPrefix(objectKey)}${width}.${format === 'jpeg' ? 'jpg' : format}`;

/** The value of the attribute `srcset`: the widths that are smaller than the image, then the image. */
export function srcsetOf(url: string, { width, animated }: Pick<Asset, 'width' | 'animated'>): string {
  const smaller = animated ? [] : variantWidths.filter((each) => each < width);
  return [...smaller.map((each) => `${url}?width=${each} ${each}w`), `${url} ${width}w`].join(', ');
}

/** Whether the image itself is given in place of a variant, because the variant would have nothing that is smaller. */
export const givesOriginal = (
  image: Pick<Asset, 'width' | 'animated' | 'mime_type'>,
  { width, format }: Variant,
): boolean =>
  image.animated || width > image.width || (width === image.width && image.mime_type === `image/${format}`);
