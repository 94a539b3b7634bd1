import { escapeHtml } from '../dom.ts';
import { listOfNotes } from './footnotes.ts';
import type { Footnote } from './footnotes.ts';
import { isLayout, layoutHtml, rawHtml } from './page-builders.ts';
import type { Shortcode, ShortcodeImage } from './shortcode.ts';

export interface ShortcodeContext {
  /** An image of the media library by its id. */
  readonly image: (id: string) => ShortcodeImage | undefined;
  /** Ids of the images that were uploaded to this post; a gallery without ids shows them. */
  readonly ownImages: () => readonly string[];
  readonly unknown: (name: string) => void;
  /** Called with the name of a page builder's shortcode, which is removed. */
  readonly removed: (name: string) => void;
}

/** What the writers share. */
interface Place extends ShortcodeContext {
  readonly notes: Footnote[];
}

type Writer = (shortcode: Shortcode, place: Place) => string;

const LANGUAGES = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'css',
  'html',
  'java',
  'javascript',
  'js',
  'json',
  'php',
  'python',
  'ruby',
  'sql',
  'xml',
];
const VIDEO = ['src', 'mp4', 'm4v', 'webm', 'ogv', 'mov', 'flv', 'wmv'];
const AUDIO = ['src', 'mp3', 'm4a', 'ogg', 'wav', 'wma'];
/** Those of Easy Footnotes, Modern Footnotes and others; the texts stand where their marks are shown. */
const FOOTNOTES = ['footnote', 'ref', 'efn_note', 'mfn', 'modern_footnote', 'fn'];

const writers = new Map<string, Writer>([
  ['caption', caption],
  ['wp_caption', caption],
  ['gallery', gallery],
  ['embed', ({ content, attributes }) => paragraphOf(content.trim() || (attributes.get('src') ?? ''))],
  ['video', (shortcode) => player('video', shortcode, VIDEO)],
  ['audio', (shortcode) => player('audio', shortcode, AUDIO)],
  ['youtube', ({ bare }) => paragraphOf(onSite(bare[0] ?? '', 'https://www.youtube.com/watch?v='))],
  ['vimeo', ({ bare }) => paragraphOf(onSite(bare[0] ?? '', 'https://vimeo.com/'))],
  ...['code', 'sourcecode', ...LANGUAGES].map((name): [string, Writer] => [name, code]),
  ['vc_raw_html', rawHtml],
  ['vc_raw_js', rawHtml],
  ...FOOTNOTES.map((name): [string, Writer] => [name, footnote]),
]);

const tag = /\[(\[?)(\/?)([a-z][\w-]*)((?:[\s=][^[\]]*)?)\](\]?)/gi;

/** Converts the shortcodes of WordPress and of common plugins to HTML; keeps others unchanged. */
export function readShortcodes(content: string, context: ShortcodeContext): string {
  const place: Place = { ...context, notes: [] };
  const written = write(content, place);
  return written + listOfNotes(place.notes);
}

function write(content: string, context: Place): string {
  let result = '';
  let at = 0;
  const unclosed = new Set<string>();
  for (const match of content.matchAll(tag)) {
    if (match.index < at) continue;
    const [whole, opening = '', slash = '', written = '', rest = '', closing = ''] = match;
    const name = written.toLowerCase();
    result += content.slice(at, match.index);
    at = match.index + whole.length;
    if (opening !== '' && closing !== '') {
      result += whole.slice(1, -1);
      continue;
    }
    const writer = writers.get(name);
    const isOpen = slash === '' && writer !== undefined && !rest.endsWith('/') && !unclosed.has(name);
    const end = isOpen ? content.indexOf(`[/${written}]`, at) : -1;
    if (isOpen && end < 0) unclosed.add(name);
    if (opening !== '' && end >= 0 && content[end + written.length + 3] === ']') {
      // `[[caption]x[/caption]]` is shown without the outer brackets.
      at = end + written.length + 4;
      result += content.slice(match.index + 1, at - 1);
      continue;
    }
    // A bracket on one side only is text.
    result += opening;
    if (writer === undefined || slash !== '' || (end < 0 && writer === footnote)) {
      if (isLayout(name)) {
        result += layoutHtml({ name, ...attributesOf(rest), content: '' }, context.image);
        context.removed(name);
      } else result += whole.slice(opening.length, whole.length - closing.length);
      if (isShortcode(name, slash, rest) && writer === undefined && !isLayout(name)) context.unknown(name);
    } else {
      result += writer(
        { name, ...attributesOf(rest), content: end < 0 ? '' : content.slice(at, end) },
        context,
      );
      if (end >= 0) at = end + written.length + 3;
      else at -= closing.length;
      continue;
    }
    result += closing;
  }
  return result + content.slice(at);
}

/** Brackets are usually text: `[1]`, `[sic]`. */
const isShortcode = (name: string, slash: string, rest: string): boolean =>
  slash !== '' || rest.includes('=') || /[-_]/.test(name);

function attributesOf(text: string): Pick<Shortcode, 'attributes' | 'bare'> {
  const attributes = new Map<string, string>();
  const bare: string[] = [];
  const pattern = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|([^\s"]+)/g;
  for (const [, name, double, single, plain, quoted, word] of text.replace(/\/$/, '').matchAll(pattern)) {
    if (name !== undefined) attributes.set(name.toLowerCase(), double ?? single ?? plain ?? '');
    else bare.push(quoted ?? word ?? '');
  }
  // `[youtube=https://…]`
  if (text.startsWith('=')) bare.unshift(text.slice(1).trim());
  return { attributes, bare };
}

function caption({ attributes, content }: Shortcode): string {
  const image = /^\s*(?:<a\s[^<>]*>\s*)?<img\s[^<>]*>(?:\s*<\/a>)?/i.exec(content)?.[0] ?? '';
  const text = content.slice(image.length).trim() || escapeHtml(attributes.get('caption') ?? '');
  return `\n\n<figure>${image.trim()}<figcaption>${text}</figcaption></figure>\n\n`;
}

function gallery({ attributes }: Shortcode, { image, ownImages, unknown }: ShortcodeContext): string {
  const named = attributes.get('ids') ?? attributes.get('include');
  const ids = named === undefined ? ownImages() : named.split(',').map((id) => id.trim());
  const images = ids.flatMap((id) => image(id) ?? []);
  if (images.length < ids.length || ids.length === 0) unknown('gallery');
  return images
    .map(({ url, alt, caption: text }) => {
      const below = text === '' ? '' : `<figcaption>${escapeHtml(text)}</figcaption>`;
      return `\n\n<figure><img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}">${below}</figure>\n\n`;
    })
    .join('');
}

function player(
  element: 'video' | 'audio',
  { attributes, bare }: Shortcode,
  names: readonly string[],
): string {
  const source = names.map((name) => attributes.get(name)).find(Boolean) ?? bare[0] ?? '';
  return source === '' ? '' : `\n\n<${element} controls src="${escapeHtml(source)}"></${element}>\n\n`;
}

/** A code block. Its content may already be escaped, so only `<` is escaped. */
function code({ name, attributes, content }: Shortcode): string {
  const given = attributes.get('language') ?? attributes.get('lang') ?? (name.endsWith('code') ? '' : name);
  return `\n\n<pre data-language="${escapeHtml(given)}">${content.replaceAll('<', '&lt;')}</pre>\n\n`;
}

/** A mark; its text goes to the list at the end. */
function footnote({ content }: Shortcode, place: Place): string {
  const id = `presswork-note-${place.notes.length + 1}`;
  place.notes.push({ id, content: write(content, place) });
  return `<sup><a href="#${id}" id="${id}-link">${place.notes.length}</a></sup>`;
}

const onSite = (given: string, site: string): string =>
  given === '' || /^https?:/.test(given) ? given : site + given;

/** A paragraph with a URL only. */
const paragraphOf = (address: string): string =>
  address === '' ? '' : `\n\n<p>${address.replaceAll('<', '&lt;')}</p>\n\n`;
