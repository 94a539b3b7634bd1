import type { ImageFormat } from './image-structure.ts';

/** The images that may be registered, by their actual format (docs/spec/service-api.md, Media). */
export const imageTypes: Readonly<
  Record<ImageFormat, { readonly mime: string; readonly extension: string }>
> = {
  jpeg: { mime: 'image/jpeg', extension: 'jpg' },
  png: { mime: 'image/png', extension: 'png' },
  webp: { mime: 'image/webp', extension: 'webp' },
  gif: { mime: 'image/gif', extension: 'gif' },
  heif: { mime: 'image/avif', extension: 'avif' },
};

/** The MIME type of a public object, by the extension of its key. */
export const publicTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(imageTypes).map(({ mime, extension }) => [extension, mime]),
);
