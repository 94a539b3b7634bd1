import type { DomElement } from './dom.ts';
import { resolveUrl } from './text.ts';

const LAZY = ['data-src', 'data-lazy-src', 'data-original', 'data-orig-file'];

/** Sets the URL of an image, including images that a script would load lazily, or that have a choice of sizes only. */
export function prepareImage(image: DomElement, base: string | null, note: (message: string) => void): void {
  const source = image.getAttribute('src') ?? '';
  const lazy = LAZY.map((name) => image.getAttribute(name));
  const others = [
    ...lazy,
    largestOf(image.getAttribute('srcset')),
    largestOf(image.getAttribute('data-srcset')),
  ];
  const shown = source === '' || source.startsWith('data:') ? (others.find(Boolean) ?? source) : source;
  const isUsable = shown !== '' && !/^(?:javascript|vbscript):/i.test(shown.trim());
  if (isUsable) image.setAttribute('src', resolveUrl(shown, base));
  else {
    const alt = image.getAttribute('alt') ?? '';
    if (shown === '')
      note(`an image has no address, and is left out (${alt === '' ? 'without a text' : alt})`);
    image.remove();
  }
}

function largestOf(srcset: string | null): string | null {
  const candidates = (srcset ?? '').split(/,\s+/).map((candidate) => {
    const [address = '', size = '1x'] = candidate.trim().split(/\s+/);
    return { address, size: Number.parseFloat(size) || 0 };
  });
  const [largest] = candidates.toSorted((left, right) => right.size - left.size);
  return largest?.address || null;
}

const linkable = /^(?:https?|mailto|tel|ftp|sms|geo|xmpp|magnet):/i;

/** Makes a link absolute; one that runs code loses its address. */
export function prepareLink(link: DomElement, base: string | null): void {
  const address = resolveUrl(link.getAttribute('href') ?? '', base);
  const scheme = /^[a-z][a-z0-9+.-]*:/i.test(address.replaceAll(/[\s\p{Cc}]/gu, ''));
  if (scheme && !linkable.test(address)) link.removeAttribute('href');
  else link.setAttribute('href', address);
}

/** An embed stays HTML, without scripts and styles. */
export function prepareEmbed(embed: DomElement, base: string | null): void {
  for (const { name } of Array.from(embed.attributes)) {
    if (/^on|^srcdoc$|^style$|^class$|^data-/i.test(name)) embed.removeAttribute(name);
  }
  for (const name of ['src', 'data', 'poster']) {
    const address = embed.getAttribute(name);
    if (address === null) continue;
    const resolved = resolveUrl(address, base);
    if (/^\s*(?:javascript|vbscript|data):/i.test(resolved)) embed.removeAttribute(name);
    else embed.setAttribute(name, resolved);
  }
}
