import type { Article } from '../articles/article.ts';
import type { Blueprint } from '../content-types/blueprint.ts';
import type { StageResult, Step } from './stage-result.ts';
import type { Draft, Extraction, Judgement, Plan } from './writer.ts';

/** What a topic must score to be written about. */
const THRESHOLD = 50;

/** A judged topic goes on, or is skipped with the reason. */
export const judged = ({ score, reason }: Judgement, step: Step): StageResult =>
  score >= THRESHOLD
    ? { status: 'scored', changes: {}, score, note: null, step }
    : { status: 'skipped', changes: {}, score, note: reason, step };

/** @param note such as that the source could not be read */
export const extracted = ({ facts }: Extraction, note: string | null, step: Step): StageResult => ({
  status: 'scraped',
  changes: {},
  sourceText: facts.length === 0 ? null : facts.join('\n'),
  note,
  step,
});

/** The outline is kept; the status stays what it was. */
export const planned = (outline: Plan, step: Step): StageResult => ({
  status: 'scraped',
  changes: {},
  outline,
  note: null,
  step,
});

/** What a person has written into the article before stays: only what is empty is filled. */
export function generated(draft: Draft, article: Article, step: Step): StageResult {
  const empty = Object.entries(draft).filter(([name, value]) => {
    const present = article[name as keyof Draft];
    return value !== null && (present === null || present === '');
  });
  return { status: 'generated', changes: Object.fromEntries(empty), note: null, step };
}

/** Where an improved article goes (decisions 10): what it still misses decides. */
export function improved(draft: Draft, article: Article, blueprint: Blueprint, step: Step): StageResult {
  const changes = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null));
  const note = shortcoming({ ...article, ...changes }, blueprint);
  if (note !== null) return { status: 'needs_improvement', changes, note, step };
  return {
    status: article.featured_image_url === null ? 'needs_images' : 'queued',
    changes,
    note: null,
    step,
  };
}

/** Words an article has at least where its format names none. */
const SHORTEST = 150;
/** How far below the words of its sections an article may stay. */
const TOLERANCE = 0.8;

function shortcoming(article: Article, { requires, sections }: Blueprint): string | null {
  const missing = requires.filter((block) => isEmpty(article[block]));
  if (missing.length > 0) return `The article misses what its format requires: ${missing.join(', ')}.`;
  const asked = sections.reduce((sum, { min_words: words = 0 }) => sum + words, 0);
  const least = asked === 0 ? SHORTEST : Math.floor(asked * TOLERANCE);
  const count = (article.content ?? '').split(/\s+/).filter((word) => word !== '').length;
  return count < least ? `The article has ${count} words; its format asks for ${least} at least.` : null;
}

const isEmpty = (block: Article[Blueprint['requires'][number]]): boolean =>
  block === null || (Array.isArray(block) && block.length === 0);
