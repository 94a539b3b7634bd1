import { Parser } from 'htmlparser2';
import { pageAddress } from '../../domain/seo/address.ts';
import type { PageFacts, PageLink } from '../../domain/seo/pages/facts.ts';
import { decode } from './decode.ts';
import { limits } from './limits.ts';
import { loadsOf } from './loads.ts';

export interface PageToRead {
  readonly bytes: Uint8Array;
  readonly url: string;
  readonly contentType: string;
  /** The headers `X-Robots-Tag`, one in a line. */
  readonly robotsTag: string;
}

type Attributes = Readonly<Record<string, string>>;

/** Elements whose text readers do not see. */
const unseen = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head']);
/** Directives of the header that hold for one crawler begin with its name, which holds for those after it as well. */
const ofCrawler = /^[\w-]+:(?!\/\/)/;
/** Directives with a value look the same. */
const withValue = /^(?:max-snippet|max-image-preview|max-video-preview|unavailable_after):/i;

/** The facts of a page. The time depends on the page, so call it in a helper process. */
export function readPage({ bytes, url, contentType, robotsTag }: PageToRead): PageFacts {
  const reader = new Reader(url);
  for (const header of robotsTag.split('\n')) reader.directives(forEveryCrawler(header));
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      ontext: (text) => reader.text(text),
      onclosetag: (name) => reader.close(name),
    },
    { decodeEntities: true },
  );
  try {
    parser.end(decode(bytes, contentType));
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return reader.facts();
}

/** The directives of a header before those that name a crawler. */
function forEveryCrawler(header: string): string {
  const directives = header.split(',').map((directive) => directive.trim());
  const named = directives.findIndex((directive) => ofCrawler.test(directive) && !withValue.test(directive));
  return (named === -1 ? directives : directives.slice(0, named)).join(',');
}

/** Elements that are open at the same time: the time of the parser is the square of it. The rest is not read. */
const DEEPEST = 5_000;

class TooDeep extends Error {}

/** Collects the facts of a page from the events of its parser. */
class Reader {
  readonly #url: string;
  #base: string;
  #baseSeen = false;
  /** How many elements of each name are open, of those that matter. */
  readonly #open = new Map<string, number>();
  #title: string | null = null;
  #description: string | null = null;
  readonly #canonicals: string[] = [];
  readonly #robots = new Set<string>();
  readonly #links: { href: string; rel: readonly string[]; text: string }[] = [];
  #link: { text: string } | null = null;
  readonly #loads: string[] = [];
  readonly #jsonLd: string[] = [];
  #jsonLdBytes = 0;
  #block: string[] | null = null;
  #inTitle: string[] | null = null;
  #marked = false;
  #words = 0;
  #depth = 0;

  constructor(url: string) {
    this.#url = url;
    this.#base = url;
  }

  open(name: string, attributes: Attributes): void {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new TooDeep();
    if (unseen.has(name)) this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
    // The end of the head may be left out.
    if (name === 'body') this.#open.delete('head');
    if (this.#within('template')) return;
    if ('itemtype' in attributes || 'typeof' in attributes) this.#marked = true;
    if (name === 'title' && this.#title === null && !this.#within('svg')) this.#inTitle = [];
    else if (name === 'base') this.#setBase(attributes);
    else if (name === 'meta') this.#meta(attributes);
    else if (name === 'link') this.#named(attributes);
    else if (name === 'a' || name === 'area') this.#startLink(attributes);
    else if (name === 'script' && isJsonLd(attributes)) this.#block = [];
    for (const load of loadsOf(name, attributes))
      if (this.#loads.length < limits.links) this.#loads.push(load.slice(0, limits.url));
  }

  text(text: string): void {
    if (this.#block !== null) this.#block.push(text);
    else if (this.#inTitle !== null) this.#inTitle.push(text);
    else if (!this.#isUnseen()) {
      if (this.#link !== null && this.#link.text.length < limits.linkText) this.#link.text += text;
      this.#words += wordsIn(text);
    }
  }

  close(name: string): void {
    this.#depth -= 1;
    if (unseen.has(name)) this.#open.set(name, Math.max(0, (this.#open.get(name) ?? 0) - 1));
    if (name === 'title' && this.#inTitle !== null) {
      this.#title = spaced(this.#inTitle.join('')).slice(0, limits.title);
      this.#inTitle = null;
    } else if (name === 'a') this.#link = null;
    else if (name === 'script' && this.#block !== null) this.#endBlock(this.#block.join(''));
  }

  facts(): PageFacts {
    const loads = this.#loads.map((load) => this.#resolve(load)).filter((load) => load?.protocol === 'http:');
    return {
      title: this.#title,
      description: this.#description,
      canonicals: this.#canonicals.map((href) => {
        const url = this.#resolve(href);
        return url && pageAddress(url);
      }),
      robots: [...this.#robots],
      links: this.#links.flatMap((link) => this.#pageLink(link)),
      insecureLoads: [...new Set(loads.map((load) => load?.href ?? ''))].slice(0, limits.insecureLoads),
      jsonLd: this.#jsonLd,
      marked: this.#marked,
      words: this.#words,
    };
  }

  directives(list: string): void {
    for (const directive of list.toLowerCase().split(','))
      if (this.#robots.size < limits.directives) this.#robots.add(directive.trim().slice(0, 100));
  }

  /** The first one counts, for the whole page. */
  #setBase({ href }: Attributes): void {
    if (this.#baseSeen || href === undefined) return;
    this.#baseSeen = true;
    this.#base = URL.parse(href, this.#url)?.href ?? this.#url;
  }

  #meta({ name = '', content = '' }: Attributes): void {
    const about = name.trim().toLowerCase();
    if (about === 'robots') this.directives(content);
    else if (about === 'description' && this.#description === null)
      this.#description = spaced(content.slice(0, limits.description));
  }

  #named({ rel = '', href }: Attributes): void {
    if (!rel.toLowerCase().split(/\s+/).includes('canonical')) return;
    if (href !== undefined && this.#canonicals.length < limits.canonicals)
      this.#canonicals.push(href.slice(0, limits.url + 1));
  }

  #startLink({ href, rel = '' }: Attributes): void {
    if (href === undefined || this.#links.length >= limits.links) return;
    const rels = rel
      .toLowerCase()
      .split(/\s+/)
      .filter((token) => token !== '');
    const link = { href: href.slice(0, limits.url + 1), rel: rels.slice(0, 10), text: '' };
    this.#links.push(link);
    this.#link = link;
  }

  #pageLink({ href, rel, text }: { href: string; rel: readonly string[]; text: string }): PageLink[] {
    const url = this.#resolve(href);
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return [];
    const address = pageAddress(url);
    if (address.length > limits.url || url.username !== '' || url.password !== '') return [];
    return [{ url: address, rel, text: spaced(text).slice(0, limits.linkText) }];
  }

  #endBlock(text: string): void {
    this.#block = null;
    if (this.#jsonLd.length >= limits.jsonLdBlocks) return;
    this.#jsonLdBytes += text.length;
    if (this.#jsonLdBytes <= limits.jsonLdBytes) this.#jsonLd.push(text);
  }

  #resolve(href: string): URL | null {
    return href.length > limits.url ? null : URL.parse(href.trim(), this.#base);
  }

  #within(name: string): boolean {
    return (this.#open.get(name) ?? 0) > 0;
  }

  #isUnseen(): boolean {
    for (const count of this.#open.values()) if (count > 0) return true;
    return false;
  }
}

const isJsonLd = ({ type = '' }: Attributes): boolean =>
  type.split(';', 1)[0]?.trim().toLowerCase() === 'application/ld+json';

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim();

function wordsIn(text: string): number {
  let count = 0;
  let inside = false;
  for (const character of text) {
    const isSpace = character.trim() === '';
    if (!isSpace && !inside) count += 1;
    inside = !isSpace;
  }
  return count;
}
