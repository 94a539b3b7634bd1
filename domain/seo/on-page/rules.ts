import { comparable } from '../articles/outline.ts';
import type { Outline } from '../articles/outline.ts';
import type { Rule } from '../rules.ts';

/** An article, for the rules. */
export interface OnPageArticle {
  readonly title: string | null;
  readonly seo_title: string | null;
  readonly seo_description: string | null;
  readonly seo_keywords: readonly string[] | null;
}

export interface OnPageFault {
  readonly rule: Rule<'on-page'>;
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** The thresholds of the contract (docs/spec/rulings.md, 19, Thresholds). Lengths count code points. */
const title = { least: 10, most: 60 };
const description = { least: 50, most: 160 };
const CONTENT_WORDS = 300;
const PARAGRAPH_WORDS = 150;
const LIX = 60;

/** Examples of one fault that its evidence shows. */
const EXAMPLES = 20;

/** The faults of an article, each rule at most once. */
export function examineArticle(article: OnPageArticle, outline: Outline): OnPageFault[] {
  return [
    ...titleLength(article),
    ...descriptionLength(article),
    ...headingOrder(outline),
    ...missingAlt(outline),
    ...thinContent(outline),
    ...keywordMissing(article, outline),
    ...longParagraph(outline),
    ...hardToRead(outline),
  ];
}

const lengthOf = (text: string): number => [...text].length;

/** The title of search results: the one written for them, or else the article's. */
function titleLength({ seo_title, title: own }: OnPageArticle): OnPageFault[] {
  const text = (present(seo_title) ?? own ?? '').trim();
  const length = lengthOf(text);
  if (length >= title.least && length <= title.most) return [];
  return [{ rule: 'title-length', evidence: { title: text, length, ...title } }];
}

function descriptionLength({ seo_description: text }: OnPageArticle): OnPageFault[] {
  const shown = present(text);
  if (shown === null) return [];
  const length = lengthOf(shown);
  if (length >= description.least && length <= description.most) return [];
  return [{ rule: 'description-length', evidence: { description: shown, length, ...description } }];
}

/** A heading may be one level below the one before it; the first stands below the title, which is of level 1. */
function headingOrder({ headings }: Outline): OnPageFault[] {
  const skips: object[] = [];
  let before = 1;
  for (const { level, text } of headings) {
    if (level > before + 1) skips.push({ heading: text, level, after: before });
    before = level;
  }
  return skips.length === 0 ? [] : [{ rule: 'heading-order', evidence: some('skips', skips) }];
}

function missingAlt({ images }: Outline): OnPageFault[] {
  const without = images.filter(({ alt }) => alt === '').map(({ src }) => src);
  return without.length === 0 ? [] : [{ rule: 'missing-alt', evidence: some('images', without) }];
}

function thinContent({ words }: Outline): OnPageFault[] {
  return words >= CONTENT_WORDS ? [] : [{ rule: 'thin-content', evidence: { words, least: CONTENT_WORDS } }];
}

/** An article without keywords misses none. */
function keywordMissing(
  { seo_keywords, seo_title, title: own }: OnPageArticle,
  { beginning }: Outline,
): OnPageFault[] {
  const keywords = (seo_keywords ?? []).map(comparable).filter((keyword) => keyword !== '');
  const places = [own, seo_title].map((text) => comparable(text ?? '')).concat(beginning);
  if (keywords.length === 0) return [];
  if (keywords.some((keyword) => places.some((place) => place.includes(keyword)))) return [];
  return [{ rule: 'keyword-missing', evidence: some('keywords', seo_keywords ?? []) }];
}

function longParagraph({ paragraphs }: Outline): OnPageFault[] {
  const long = paragraphs.filter(({ words }) => words > PARAGRAPH_WORDS);
  if (long.length === 0) return [];
  return [{ rule: 'long-paragraph', evidence: { ...some('paragraphs', long), most: PARAGRAPH_WORDS } }];
}

/** By LIX, which holds for any language: words per sentence, and the share of long words in percent. */
function hardToRead({ prose: { words, longWords, sentences } }: Outline): OnPageFault[] {
  if (words === 0 || sentences === 0) return [];
  const lix = words / sentences + (100 * longWords) / words;
  if (lix <= LIX) return [];
  return [{ rule: 'hard-to-read', evidence: { lix: Math.round(lix * 10) / 10, most: LIX } }];
}

const present = (text: string | null): string | null =>
  text === null || text.trim() === '' ? null : text.trim();

/** Some of the examples, and how many there are. */
const some = (name: string, all: readonly unknown[]): Readonly<Record<string, unknown>> => ({
  [name]: all.slice(0, EXAMPLES),
  count: all.length,
});
