/** Says of which language the code is that follows: the editor keeps it in a comment. */
export const LANGUAGE_MARK = 'presswork-language';

export interface BlockContext {
  /** The content of a reusable block. */
  readonly reusable: (id: string) => string | undefined;
  /** Told the name of a block that WordPress makes when a page is shown. */
  readonly dynamic: (name: string) => void;
}

/** Reusable blocks in one post: they may name each other, and so grow without end. */
const REUSED = 200;
/** Blocks without content that are no loss. */
const SILENT = new Set([
  'more',
  'nextpage',
  'spacer',
  'separator',
  'post-content',
  'paragraph',
  'freeform',
  'html',
]);

export const hasBlocks = (content: string): boolean => content.includes('<!-- wp:');

/** The HTML of a post made of blocks, without the comments that say which block begins where. */
export function readBlocks(content: string, context: BlockContext): string {
  return write(content, { ...context, within: [], left: { count: REUSED } });
}

interface Place extends BlockContext {
  /** Ids of the reusable blocks this one stands in. */
  readonly within: readonly string[];
  readonly left: { count: number };
}

function write(content: string, place: Place): string {
  let result = '';
  let at = 0;
  for (;;) {
    const start = content.indexOf('<!--', at);
    const end = start < 0 ? -1 : content.indexOf('-->', start + 4);
    if (end < 0) return result + content.slice(at);
    result += content.slice(at, start) + standIn(content.slice(start + 4, end).trim(), place);
    at = end + 3;
  }
}

function standIn(comment: string, place: Place): string {
  const head = /^wp:([a-z][\w-]*(?:\/[a-z][\w-]*)?)/.exec(comment);
  const name = head?.[1]?.replace(/^core\//, '');
  if (head === null || name === undefined) return '';
  const alone = comment.endsWith('/');
  const { ref, url, language } = attributesOf(comment.slice(head[0].length, alone ? -1 : undefined));
  if (!alone) return typeof language === 'string' && /^[\w+#.-]{1,40}$/.test(language) ? mark(language) : '';
  if (name === 'block') {
    const id = String(ref);
    if (place.within.includes(id)) return '';
    const reused = place.left.count > 0 ? place.reusable(id) : undefined;
    place.left.count -= 1;
    if (reused !== undefined) return write(reused, { ...place, within: [...place.within, id] });
  } else if (typeof url === 'string' && /^https?:\/\/[^\s<>"]+$/.test(url)) {
    return `<p>${url.replaceAll('&', '&amp;')}</p>`;
  }
  if (!SILENT.has(name)) place.dynamic(name);
  return '';
}

const mark = (language: string): string =>
  `<${LANGUAGE_MARK} data-language="${language}"></${LANGUAGE_MARK}>`;

function attributesOf(json: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(json) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
