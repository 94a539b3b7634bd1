import type { DomElement } from '../dom.ts';
import { toMarkdown } from '../markdown.ts';
import type { EntryReport } from '../report.ts';
import { LANGUAGE_MARK, hasBlocks, readBlocks } from './blocks.ts';
import { makeParagraphs } from './paragraphs.ts';
import { readShortcodes } from './shortcodes.ts';
import type { ShortcodeImage } from './shortcodes.ts';
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
  const dynamic = new Set<string>();
  const unknown = new Set<string>();
  const made = hasBlocks(post.content);
  const html = made
    ? readBlocks(post.content, {
        reusable: (id) => library.reusable.get(id),
        dynamic: (name) => dynamic.add(name),
      })
    : post.content.replaceAll(/\r\n?/g, '\n');
  const written = readShortcodes(html, {
    image: (id) => library.images.get(id),
    ownImages: () => library.imagesOf.get(post.id) ?? [],
    unknown: (name) => unknown.add(name),
  });
  if (dynamic.size > 0) {
    report.note(
      `its blocks ${[...dynamic].join(', ')} are left out, because their content is not in the export`,
    );
  }
  const gallery = unknown.delete('gallery');
  if (gallery) report.note('its gallery has images that are not in the export');
  if (unknown.size > 0) {
    report.note(
      `its shortcodes ${[...unknown].slice(0, 20).join(', ')} are unknown and stay in the text; check it`,
    );
  }
  return toMarkdown(written, {
    base,
    note: (message) => report.note(message),
    adapt: (body) => {
      applyLanguages(body);
      if (!made) makeParagraphs(body);
    },
  });
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
