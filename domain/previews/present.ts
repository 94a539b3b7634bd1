import type { PreviewLink } from './link.ts';

/** A link as a list shows it. */
export const presentPreviewLink = ({ id, created_at, expires_at }: PreviewLink) => ({
  id,
  expires_at: expires_at.toISOString(),
  created_at: created_at.toISOString(),
});

/**
 * The address of a preview.
 *
 * @param template of the Site, with `{token}` and perhaps `{slug}`; null for the page of the service
 */
export const previewUrl = (
  publicUrl: string,
  template: string | null,
  token: string,
  slug: string | null,
): string =>
  template === null
    ? `${publicUrl}/preview/${token}`
    : template.replaceAll('{token}', token).replaceAll('{slug}', slug ?? '');
