import { createSlots } from '../../base/slots.ts';
import { digestOf } from './create-once.ts';
import type { ObjectName } from './created-objects.ts';
import type { NamedImage } from './entry-images.ts';
import { addressOf, bucketOf } from './image-address.ts';
import type { ImageAddress } from './image-address.ts';
import { fetchImage } from './image-fetch.ts';
import { digestOfFileName } from './image-file.ts';
import { uploadImage } from './image-upload.ts';
import type { UploadPorts } from './image-upload.ts';
import { firstBy } from './site.ts';
import type { SiteAsset } from './site.ts';

export interface ImageReport {
  readonly copied: number;
  /** Already in the library. */
  readonly reused: number;
  readonly failed: readonly { readonly url: string; readonly message: string }[];
}

export interface ImageOptions extends UploadPorts {
  readonly assets: readonly SiteAsset[];
  /** The base of relative URLs. */
  readonly sourceUrl: string | null;
  readonly concurrency: number;
  /** Fetches and checks images, but writes nothing. */
  readonly dryRun: boolean;
  readonly onSettled: () => void;
}

interface Copy {
  /** Its URL in the library; null if it could not be copied. */
  readonly url: string | null;
  /** The asset, if this run created it. */
  readonly made?: ObjectName;
}

/** Copies images into the media library, each at most once. */
export class Images {
  readonly #options: ImageOptions;
  readonly #slots: ReturnType<typeof createSlots>;
  readonly #library: ReadonlyMap<string, SiteAsset>;
  readonly #own: ReadonlySet<string>;
  /** In file order. */
  readonly #expected = new Set<string>();
  readonly #avatars = new Set<string>();
  readonly #alts = new Map<string, string>();
  readonly #copies = new Map<string, Promise<Copy>>();
  readonly #failed = new Map<string, { url: string; message: string }>();
  #copied = 0;
  #reused = 0;
  #settled = 0;

  constructor(options: ImageOptions) {
    this.#options = options;
    this.#slots = createSlots(options.concurrency);
    this.#library = firstBy(options.assets, ({ file_name: name }) => digestOfFileName(name));
    this.#own = new Set(options.assets.map(({ url }) => url));
  }

  /** Announces an image to copy. Any reference to it can set its alternative text, or that it is an avatar. */
  expect({ url, alt }: NamedImage, isAvatar = false): void {
    const href = this.#addressOf(url)?.href;
    this.#expected.add(href ?? url);
    if (href === undefined) return;
    if (isAvatar) this.#avatars.add(href);
    if (alt && !this.#alts.has(href)) this.#alts.set(href, alt);
  }

  /** Counts an image as reused if the library has it, although no entry to import needs it. */
  countIfInLibrary({ url }: NamedImage): void {
    const href = this.#addressOf(url)?.href;
    if (href === undefined || this.#expected.has(href) || this.#copies.has(href)) return;
    const there = this.#find(href);
    if (there !== null) this.#copies.set(href, Promise.resolve(this.#reuse(there)));
  }

  get needUpload(): boolean {
    return [...this.#expected].some((key) => URL.canParse(key) && this.#find(key) === null);
  }

  get progress(): { readonly done: number; readonly total: number } {
    return { done: this.#settled, total: this.#expected.size };
  }

  /** Copies the image of a written URL. */
  async copy({ url }: NamedImage): Promise<Copy> {
    const { href, suffix } = this.#addressOf(url) ?? { href: null, suffix: '' };
    const key = href ?? url;
    let copying = this.#copies.get(key);
    if (copying === undefined) {
      copying = this.#findOrUpload(url, href).finally(() => {
        this.#settled += 1;
        this.#options.onSettled();
      });
      this.#copies.set(key, copying);
    }
    const copy = await copying;
    return copy.url === null ? copy : { ...copy, url: `${copy.url}${suffix}` };
  }

  report(): ImageReport {
    const failed = [...this.#expected].flatMap((key) => this.#failed.get(key) ?? []);
    return { copied: this.#copied, reused: this.#reused, failed };
  }

  async #findOrUpload(url: string, href: string | null): Promise<Copy> {
    if (href === null)
      return this.#fail(url, 'must be an http or https URL; a relative URL needs source.url');
    const there = this.#find(href);
    if (there !== null) return this.#reuse(there);
    return this.#slots(() => this.#fetchAndUpload(url, href));
  }

  async #fetchAndUpload(url: string, href: string): Promise<Copy> {
    const { http, signal, dryRun } = this.#options;
    signal.throwIfAborted();
    const fetched = await fetchImage(http, href, signal);
    if (fetched.problem !== undefined) return this.#fail(url, fetched.problem);
    if (dryRun) {
      this.#copied += 1;
      return { url };
    }
    const { bytes, type } = fetched;
    const uploaded = await uploadImage(this.#options, {
      href,
      digest: digestOf(href),
      bytes,
      type,
      bucket: bucketOf(href) ?? (this.#avatars.has(href) ? 'author-avatars' : 'blog-images'),
      alt: this.#alts.get(href) ?? null,
    });
    if (uploaded.problem !== undefined) return this.#fail(url, uploaded.problem);
    this.#copied += 1;
    const { asset, made } = uploaded;
    return made ? { url: asset.url, made: `media/${asset.id}` } : { url: asset.url };
  }

  #find(href: string): string | null {
    return this.#own.has(href) ? href : (this.#library.get(digestOf(href))?.url ?? null);
  }

  #reuse(url: string): Copy {
    this.#reused += 1;
    return { url };
  }

  #fail(url: string, message: string): Copy {
    this.#failed.set(this.#addressOf(url)?.href ?? url, { url, message });
    return { url: null };
  }

  #addressOf(url: string): ImageAddress | null {
    return addressOf(url, this.#options.sourceUrl);
  }
}
