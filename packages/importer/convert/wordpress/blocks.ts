import { plainText } from '../dom.ts';

/** An element with the language of the code block after it, which the editor stores in a comment. */
export const LANGUAGE_MARK = 'presswork-language';

export interface BlockContext {
  readonly reusable: (id: string) => string | undefined;
  /** The list that the block of footnotes shows. */
  readonly footnotes: string;
  /** Called with the name of a dynamic block, which WordPress renders on request, and the texts of its settings. */
  readonly dynamic: (name: string, texts: readonly string[]) => void;
}

/** The maximum number of reusable blocks in a post; nested references could otherwise grow exponentially. */
const REUSED = 200;
/** Blocks without content, which are left out without a warning. */
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

/** The HTML of a post made of blocks, without the comments that delimit the blocks. */
export function readBlocks(content: string, context: BlockContext): string {
  return write(content, { ...context, ancestors: [], left: { count: REUSED } });
}

interface Place extends BlockContext {
  /** Ids of the reusable blocks around this one. */
  readonly ancestors: readonly string[];
  readonly left: { count: number };
}

function write(content: string, place: Place): string {
  let result = '';
  let at = 0;
  for (;;) {
    const start = content.indexOf('<!--', at);
    const end = start < 0 ? -1 : content.indexOf('-->', start + 4);
    if (end < 0) return result + content.slice(at);
    result += content.slice(at, start) + replacementOf(content.slice(start + 4, end).trim(), place);
    at = end + 3;
  }
}

function replacementOf(comment: string, place: Place): string {
  const head = /^wp:([a-z][\w-]*(?:\/[a-z][\w-]*)?)/.exec(comment);
  const name = head?.[1]?.replace(/^core\//, '');
  if (head === null || name === undefined) return '';
  const alone = comment.endsWith('/');
  const attributes = attributesOf(comment.slice(head[0].length, alone ? -1 : undefined));
  const { ref, url, language } = attributes;
  if (!alone) return typeof language === 'string' && /^[\w+#.-]{1,40}$/.test(language) ? mark(language) : '';
  if (name === 'footnotes') return place.footnotes;
  if (name === 'block') {
    const id = String(ref);
    if (place.ancestors.includes(id)) return '';
    const reused = place.left.count > 0 ? place.reusable(id) : undefined;
    place.left.count -= 1;
    if (reused !== undefined) return write(reused, { ...place, ancestors: [...place.ancestors, id] });
  } else if (typeof url === 'string' && /^https?:\/\/[^\s<>"]+$/.test(url)) {
    return `<p>${url.replaceAll('&', '&amp;')}</p>`;
  }
  if (!SILENT.has(name)) place.dynamic(name, textsIn(attributes));
  return '';
}

/** Values of several words, which readers probably saw. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string')
    return /\p{L}[^\p{L}\s]{0,5}\s[^\p{L}\s]{0,5}\p{L}/u.test(value) ? [plainText(value)] : [];
  if (typeof value !== 'object' || value === null || depth > 10) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    /^(?:className|style|_.*)$/.test(name) ? [] : textsIn(member, depth + 1),
  );
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
