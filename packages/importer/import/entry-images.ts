import type { ArticleEntry, CarriedOver } from './entry.ts';
import { findImages, replaceImages } from './markdown-images.ts';
import type { FoundImage } from './markdown-images.ts';

/** A reference to an image in the import file. */
export interface NamedImage {
  /** As written in the file. */
  readonly url: string;
  readonly alt?: string | null | undefined;
}

/** The members of an entry that may have images. */
type Illustrated = Pick<ArticleEntry, 'content' | 'howto_steps' | 'featured_image'>;

export interface EntryImages {
  readonly named: readonly NamedImage[];
  /** Replaces URLs. @param addresses new URLs by written URL; others stay unchanged */
  readonly place: (addresses: ReadonlyMap<string, string>) => PlacedImages;
}

export interface PlacedImages extends Pick<CarriedOver, 'content' | 'howto_steps'> {
  readonly featured_image_url?: string | undefined;
}

/** Cached, because parsing the Markdown is the most expensive step. */
const known = new WeakMap<Illustrated, EntryImages>();

/** The images of an entry: in the Markdown, of the steps, and the featured one (docs/spec/rulings.md, 13). */
export function imagesOf(entry: Illustrated): EntryImages {
  const images = known.get(entry) ?? readImages(entry);
  known.set(entry, images);
  return images;
}

function readImages(entry: Illustrated): EntryImages {
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
