import { escapeHtml } from '../dom.ts';
import type { DomElement } from '../dom.ts';
import { toMarkdown } from '../markdown.ts';
import type { EntryReport } from '../report.ts';
import { isWebUrl } from '../text.ts';
import { LANGUAGE_MARK, hasBlocks, readBlocks } from './blocks.ts';
import { footnotesHtml } from './footnotes.ts';
import { makeParagraphs } from './paragraphs.ts';
import { readShortcodes } from './shortcodes.ts';
import type { ShortcodeImage } from './shortcode.ts';
import type { WxrItem } from './wxr.ts';

/** The items of the export that posts refer to. */
export interface Library {
  readonly images: ReadonlyMap<string, ShortcodeImage>;
  /** Ids of images by the post they were uploaded to. */
  readonly imagesOf: ReadonlyMap<string, readonly string[]>;
  readonly reusable: ReadonlyMap<string, string>;
}

/** Converts the content of a post, from either editor, to Markdown. */
export function contentOf(post: WxrItem, library: Library, base: string | null, report: EntryReport): string {
  const dynamic = new Map<string, readonly string[]>();
  const unknown = new Set<string>();
  const removed = new Set<string>();
  const made = hasBlocks(post.content);
  const html = made
    ? readBlocks(post.content, {
        reusable: (id) => library.reusable.get(id),
        footnotes: footnotesHtml(post.meta.get('footnotes') ?? ''),
        dynamic: (name, texts) => dynamic.set(name, [...(dynamic.get(name) ?? []), ...texts]),
      })
    : post.content.replaceAll(/\r\n?/g, '\n').replaceAll(pageBreak, '\n\n');
  const written = readShortcodes(html + recordingOf(post, report), {
    image: (id) => library.images.get(id),
    ownImages: () => library.imagesOf.get(post.id) ?? [],
    unknown: (name) => unknown.add(name),
    removed: (name) => removed.add(name),
  });
  if (dynamic.size > 0) {
    const texts = [...dynamic.values()].flat().map((text) => JSON.stringify(text.slice(0, 500)));
    report.note(
      `its blocks ${firstOf(dynamic.keys())} are left out, because WordPress makes their content when a page is shown` +
        (texts.length > 0 ? `; their settings have the texts ${texts.slice(0, 20).join(', ')}` : ''),
    );
  }
  const gallery = unknown.delete('gallery');
  if (gallery) report.note('its gallery has images that are not in the export');
  if (removed.size > 0) {
    report.note(
      `its page builder's shortcodes ${firstOf(removed)} are removed; their texts, links and images stay: check it`,
    );
  }
  if (unknown.size > 0) {
    report.note(`its shortcodes ${firstOf(unknown)} are unknown and stay in the text; check it`);
  }
  return toMarkdown(written, {
    base,
    note: (message) => report.note(message),
    differs: (message) => report.differs(message),
    adapt: (body) => {
      applyLanguages(body);
      if (!made) makeParagraphs(body);
    },
  });
}

/** They divide a post, so that what is before and after is not one word. */
const pageBreak = /<!--(?:more|nextpage|noteaser)[^>]{0,500}-->/g;

const firstOf = (names: Iterable<string>): string => [...names].slice(0, 20).join(', ');

/** The file of a podcast's episode, which WordPress has beside the text. */
function recordingOf({ meta, content }: WxrItem, report: EntryReport): string {
  const [address = '', , type = ''] = (meta.get('enclosure') ?? '').split(/\r?\n/).map((line) => line.trim());
  if (!isWebUrl(address) || content.includes(address)) return '';
  report.note(`its recording, ${address}, is put at the end`);
  const name = type.startsWith('video/') ? 'video' : 'audio';
  return `\n\n<${name} controls src="${escapeHtml(address)}"></${name}>\n\n`;
}

function applyLanguages(body: DomElement): void {
  for (const mark of body.querySelectorAll(LANGUAGE_MARK)) {
    const next = mark.nextElementSibling;
    const pre = next?.localName === 'pre' ? next : next?.querySelector('pre');
    if (pre && pre.getAttribute('data-language') === null) {
      pre.setAttribute('data-language', mark.getAttribute('data-language') ?? '');
    }
    mark.remove();
  }
}
