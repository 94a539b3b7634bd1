import type { ApiClient } from '../../packages/command/api-client.ts';

export interface LibraryAsset {
  readonly id: string;
  readonly url: string;
  readonly alt_text: string | null;
  readonly size_bytes: number | null;
}

/** The images of the media library, by URL. */
export class Library {
  readonly #assets = new Map<string, LibraryAsset>();

  constructor(assets: Iterable<LibraryAsset>) {
    for (const asset of assets) {
      const key = keyOf(asset.url);
      if (key !== null) this.#assets.set(key, asset);
    }
  }

  static async read(client: ApiClient): Promise<Library> {
    const assets: LibraryAsset[] = [];
    for await (const asset of client.media.list({ fields: ['id', 'url', 'alt_text', 'size_bytes'] })) {
      assets.push(asset);
    }
    return new Library(assets);
  }

  /** The image that a URL shows, in any size. */
  find(url: string): LibraryAsset | undefined {
    const key = keyOf(url);
    return key === null ? undefined : this.#assets.get(key);
  }
}

/** @returns the URL without query and fragment; null if it is not absolute */
function keyOf(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed && `${parsed.origin}${parsed.pathname}`;
}
