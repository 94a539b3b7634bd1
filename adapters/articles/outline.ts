import { parseFragment } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { BEGINNING_WORDS, comparable, LONG_WORD } from '../../domain/seo/articles/outline.ts';
import type { Outline } from '../../domain/seo/articles/outline.ts';
import { inlineElements } from '../markdown/inline-elements.ts';
import { renderMarkdown } from '../../packages/base/markdown/render.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** The most headings, images and links of an outline. */
const MOST = 2_000;
/** How many of the longest paragraphs an outline has. */
const PARAGRAPHS = 20;
const TEXT_LENGTH = 200;
const URL_LENGTH = 2_000;

/** They end no block. */
const inText = new Set(['br', 'img']);

/** A stretch of text between the borders of blocks. */
interface Block {
  readonly tag: string;
  readonly text: string;
}

/**
 * Reads the structure of an article's Markdown, as its readers see it. A hostile text takes seconds: call it in a helper
 * process.
 *
 * @returns null for a text that cannot be rendered
 */
export function readOutline({
  text,
  locale,
}: {
  readonly text: string;
  readonly locale: string;
}): Outline | null {
  const rendering = renderMarkdown(text);
  if ('refused' in rendering) return null;
  const { blocks, elements } = blocksOf(parseFragment(rendering.html).childNodes);
  const measure = measureIn(locale);
  const measured = blocks.map((block) => ({ ...block, ...measure(block.text) }));
  const prose = measured.filter(({ tag }) => tag !== 'pre');
  const sum = (of: readonly Counts[], name: keyof Counts): number =>
    of.reduce((total, counts) => total + counts[name], 0);
  return {
    words: sum(measured, 'words'),
    beginning: beginningOf(measured, locale),
    prose: {
      words: sum(prose, 'words'),
      longWords: sum(prose, 'longWords'),
      sentences: sum(prose, 'sentences'),
    },
    headings: measured
      .filter(({ tag }) => /^h[1-6]$/.test(tag))
      .slice(0, MOST)
      .map(({ tag, text: heading }) => ({ level: Number(tag[1]), text: cut(heading) })),
    paragraphs: measured
      .filter(({ tag }) => tag === 'p')
      .toSorted((one, other) => other.words - one.words)
      .slice(0, PARAGRAPHS)
      .map(({ words, text: paragraph }) => ({ words, begins: cut(paragraph) })),
    images: elements
      .filter(({ tagName }) => tagName === 'img')
      .slice(0, MOST)
      .map((image) => ({
        src: attribute(image, 'src').slice(0, URL_LENGTH),
        alt: attribute(image, 'alt').trim(),
      })),
    links: elements
      .filter(({ tagName }) => tagName === 'a')
      .map((link) => ({ href: attribute(link, 'href').trim(), text: cut(textOf(link)) }))
      .filter(({ href }) => href !== '' && href.length <= URL_LENGTH)
      .slice(0, MOST),
  };
}

/** The text of a tree, cut at the borders of blocks, and its elements, in their order. Without recursion. */
function blocksOf(roots: readonly Node[]): {
  readonly blocks: readonly Block[];
  readonly elements: readonly Element[];
} {
  const blocks: Block[] = [];
  const elements: Element[] = [];
  let text = '';
  const open: string[] = ['p'];
  const flush = (): void => {
    if (text.trim() !== '') blocks.push({ tag: open.at(-1) ?? 'p', text: text.trim().replace(/\s+/g, ' ') });
    text = '';
  };
  const waiting: (Node | 'close')[] = roots.toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === 'close') {
      flush();
      open.pop();
    } else if ('value' in next) text += next.value;
    else if ('tagName' in next) {
      elements.push(next);
      if (next.tagName === 'br') text += ' ';
      if (!inlineElements.has(next.tagName) && !inText.has(next.tagName)) {
        flush();
        open.push(next.tagName);
        waiting.push('close');
      }
      for (const child of next.childNodes.toReversed()) waiting.push(child);
    }
  }
  flush();
  return { blocks, elements };
}

interface Counts {
  readonly words: number;
  readonly longWords: number;
  readonly sentences: number;
}

function measureIn(locale: string): (text: string) => Counts {
  const words = new Intl.Segmenter(locale, { granularity: 'word' });
  const sentences = new Intl.Segmenter(locale, { granularity: 'sentence' });
  return (text) => {
    let count = 0;
    let long = 0;
    for (const { segment, isWordLike } of words.segment(text)) {
      if (!isWordLike) continue;
      count += 1;
      if (segment.length > LONG_WORD) long += 1;
    }
    return {
      words: count,
      longWords: long,
      sentences: count === 0 ? 0 : [...sentences.segment(text)].length,
    };
  };
}

/** The first words, with the text between them. */
function beginningOf(blocks: readonly Block[], locale: string): string {
  const segmenter = new Intl.Segmenter(locale, { granularity: 'word' });
  let left = BEGINNING_WORDS;
  let beginning = '';
  for (const { text } of blocks) {
    for (const { segment, isWordLike } of segmenter.segment(text)) {
      if (isWordLike && left-- <= 0) return comparable(beginning);
      beginning += segment;
    }
    beginning += ' ';
  }
  return comparable(beginning);
}

function textOf(element: Element): string {
  return blocksOf(element.childNodes)
    .blocks.map(({ text }) => text)
    .join(' ');
}

const attribute = ({ attrs }: Element, wanted: string): string =>
  attrs.find(({ name }) => name === wanted)?.value ?? '';

const cut = (text: string): string => text.slice(0, TEXT_LENGTH).toWellFormed();
