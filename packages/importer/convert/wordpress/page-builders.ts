import { escapeHtml } from '../dom.ts';
import { isWebUrl } from '../text.ts';
import type { Shortcode, ShortcodeImage } from './shortcode.ts';

/** Divi, WPBakery, Avada, Enfold. */
const layout = /^(?:vc_|et_pb_|fusion_|av_)/;

/** Attributes with a text that readers see, in the order of the page. */
const TEXTS = 'title heading text subhead subheading label button_text caption author'.split(' ');
const LINKS = ['button_url', 'button_link', 'link', 'url', 'link_url'];
const IMAGES = ['image', 'src', 'image_url'];

export const isLayout = (name: string): boolean => layout.test(name);

/** What a page builder shows of the attributes of a shortcode. Its content follows it. */
export function layoutHtml(
  { attributes }: Shortcode,
  imageOf: (id: string) => ShortcodeImage | undefined,
): string {
  const texts = TEXTS.flatMap((name) => attributes.get(name)?.trim() || []);
  const address = LINKS.map((name) => linkOf(attributes.get(name) ?? '')).find((link) => link !== '') ?? '';
  const images = IMAGES.flatMap((name) => attributes.get(name)?.trim() || []);
  return ['', ...images.flatMap((given) => imageHtml(given, imageOf)), ...textsHtml(texts, address), '']
    .join('\n\n')
    .replace(/^\n*$/, '\n\n');
}

function textsHtml(texts: readonly string[], address: string): string[] {
  const last = texts.length - 1;
  const shown = texts.map((text, index) => {
    const escaped = escapeHtml(text);
    const linked =
      index === last && address !== '' ? `<a href="${escapeHtml(address)}">${escaped}</a>` : escaped;
    return `<p>${linked}</p>`;
  });
  return last < 0 && address !== '' ? [`<p>${escapeHtml(address)}</p>`] : shown;
}

function imageHtml(given: string, imageOf: (id: string) => ShortcodeImage | undefined): string[] {
  const image = imageOf(given) ?? (isWebUrl(given) ? { url: given, alt: '' } : undefined);
  return image === undefined
    ? []
    : [`<p><img src="${escapeHtml(image.url)}" alt="${escapeHtml(image.alt)}"></p>`];
}

/** `https://…`, WPBakery's `url:https%3A%2F%2F…|target:…`, Enfold's `manually,https://…`. */
function linkOf(given: string): string {
  const named = /(?:^|\|)url:([^|]*)/.exec(given)?.[1];
  const address = named === undefined ? given.replace(/^manually,/, '') : decoded(named);
  return isWebUrl(address) ? address : '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** HTML that WPBakery stores in base64. */
export function rawHtml({ content }: Shortcode): string {
  return `\n\n${decoded(Buffer.from(content.trim(), 'base64').toString())}\n\n`;
}
