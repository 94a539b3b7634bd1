import { createHash } from 'node:crypto';

/** The digest by which a post is recognised, although the other system writes its HTML in another way. */
export interface Traits {
  readonly title: string;
  readonly slug: string;
  readonly html: string;
}

export const fingerprintOf = ({ title, slug, html }: Traits): string =>
  digest([titleKey(title), slug, lettersOf(textOf(html))]);

/** The beginning of a title, as it is the same everywhere. */
export const titleKey = (title: string): string => lettersOf(textOf(title)).slice(0, 150);

export const digest = (parts: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** HTML without tags and references to characters. */
function textOf(html: string): string {
  let text = '';
  for (let at = 0; at < html.length;) {
    const tag = html.indexOf('<', at);
    text += html.slice(at, tag < 0 ? html.length : tag);
    const end = tag < 0 ? -1 : html.indexOf('>', tag);
    at = end < 0 ? html.length : end + 1;
  }
  return text.replaceAll(/&[#\w]{1,40};/g, '');
}

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');
