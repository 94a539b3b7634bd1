import type { ArticleEntry, CarriedOver } from './entry.ts';
import { findImages, replaceImages } from './markdown-images.ts';
import type { FoundImage } from './markdown-images.ts';

/** An image as a file names it. */
export interface NamedImage {
  /** As it is written. */
  readonly url: string;
  readonly alt?: string | null | undefined;
}

/** An entry's images: which they are, and the entry with other addresses in their place. */
export interface EntryImages {
  readonly named: readonly NamedImage[];
  /** @param addresses what a written address becomes; one that is not there stays */
  readonly place: (addresses: ReadonlyMap<string, string>) => PlacedImages;
}

export interface PlacedImages extends Pick<CarriedOver, 'content' | 'howto_steps'> {
  readonly featured_image_url?: string | undefined;
}

/** Reading a text's Markdown takes longer than anything else that is done with it here. */
const known = new WeakMap<ArticleEntry, EntryImages>();

/** The images of decisions 13: in the Markdown, of the steps, and the featured one. */
export function imagesOf(entry: ArticleEntry): EntryImages {
  const images = known.get(entry) ?? readImages(entry);
  known.set(entry, images);
  return images;
}

function readImages(entry: ArticleEntry): EntryImages {
  const { content, howto_steps: steps, featured_image: featured } = entry;
  const inContent: readonly FoundImage[] = content ? findImages(content) : [];
  const named: NamedImage[] = inContent.map(({ url }) => ({ url }));
  for (const { image_url: url } of steps ?? []) if (url) named.push({ url });
  if (featured?.url) named.push({ url: featured.url, alt: featured.alt });

  const place = (addresses: ReadonlyMap<string, string>): PlacedImages => {
    const placed = (url: string): string => addresses.get(url) ?? url;
    return {
      content: content && replaceImages(content, inContent, (url) => addresses.get(url)),
      howto_steps: steps?.map((step) =>
        step.image_url ? { ...step, image_url: placed(step.image_url) } : step,
      ),
      featured_image_url: featured?.url ? placed(featured.url) : undefined,
    };
  };
  return { named, place };
}
