import type { Context } from 'koa';
import { invalidRequest } from '../../../domain/kernel/errors.ts';
import { requestedFormats, variantWidths } from '../../../packages/base/public-images.ts';
import type { Variant, VariantFormat } from '../../../domain/media/variant.ts';

/** The formats of originals, by the extensions of their keys. */
const originalFormats: Readonly<Record<string, VariantFormat>> = {
  jpg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  avif: 'avif',
};

/**
 * Reads which variant of an image is asked for: `width`, and `format` if it is not the original's
 * (docs/spec/rulings.md, 20, Image variants). Other parameters are ignored.
 *
 * @param extension of the original's key
 * @returns null if the original is asked for
 * @throws ServiceError INVALID_REQUEST
 */
export function readVariant(ctx: Context, extension: string): Variant | null {
  const query = new URLSearchParams(ctx.querystring);
  const width = one(query, 'width');
  const format = one(query, 'format');
  if (format !== null && !requestedFormats.some((known) => known === format))
    throw invalidRequest(`format: must be one of ${requestedFormats.join(', ')}.`);
  if (width === null) {
    if (format !== null) throw invalidRequest('format: needs a width beside it.');
    return null;
  }
  const known = variantWidths.find((each) => String(each) === width);
  if (known === undefined) throw invalidRequest(`width: must be one of ${variantWidths.join(', ')}.`);
  return { width: known, format: formatOf(ctx, format, extension) };
}

/** @throws ServiceError INVALID_REQUEST */
function one(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  if (values.length > 1) throw invalidRequest(`${name}: must be given once.`);
  return values[0] ?? null;
}

function formatOf(ctx: Context, asked: string | null, extension: string): VariantFormat {
  const original = originalFormats[extension] ?? 'jpeg';
  if (asked === null) return original;
  if (asked !== 'auto') return asked as VariantFormat;
  ctx.vary('Accept');
  const accepted = ctx.get('Accept').toLowerCase();
  // Browsers name the formats they can show; `*/*` says nothing about new formats.
  for (const format of ['avif', 'webp'] as const)
    if (accepted.includes(`image/${format}`) && ctx.accepts(`image/${format}`) !== false) return format;
  const shows = (format: string): boolean => ctx.accepts(`image/${format}`) !== false;
  return shows(original) || !shows('jpeg') ? original : 'jpeg';
}
