import { statusWithImage } from '../articles/image-status.ts';
import type { Article } from '../articles/row.ts';
import type { Blueprint } from '../content-types/blueprint.ts';
import type { Topic } from './brief.ts';
import { citedFacts } from './citations.ts';
import { tooManyUnsupported } from './claims/claim.ts';
import type { Claims } from './claims/claim.ts';
import type { Titled } from './duplicates.ts';
import type { FetchedPage } from './sources.ts';
import type { StageResult, Step } from './stage-result.ts';
import type { Draft, Extraction, Judgement, Plan, Revision } from './writer.ts';

/** The score that a topic needs to be written about. */
const THRESHOLD = 50;

/** A judged topic continues, or is skipped with the reason. */
export const judged = ({ score, reason }: Judgement, step: Step): StageResult => ({
  destination: () =>
    score >= THRESHOLD ? { status: 'scored', note: null } : { status: 'skipped', note: reason },
  changes: {},
  score,
  step,
});

/** A topic that the Site has an article about is skipped without being judged. */
export const alreadyWritten = ({ id, title }: Titled, step: Step): StageResult => ({
  destination: () => ({ status: 'skipped', note: `The Site has an article about this: “${title}” (${id}).` }),
  changes: {},
  duplicateOf: id,
  // No model was asked.
  step: { ...step, model: null },
});

/**
 * Facts have a source each, or there are none (docs/spec/rulings.md, 25).
 *
 * @param note such as that a source could not be read
 */
export function extracted(
  extraction: Extraction,
  { sources }: Topic,
  pages: readonly FetchedPage[],
  note: string | null,
  step: Step,
): StageResult {
  const read = sources.filter(({ text }) => text !== null).map(({ n }) => n);
  const { facts } = citedFacts(extraction, new Set(read));
  return {
    destination: () => ({ status: 'scraped', note }),
    changes: {},
    sourceText: facts.length === 0 ? null : facts.join('\n'),
    extracts: sources.map(({ url, text }) => ({ url, text: text ?? '' })),
    pages,
    step,
  };
}

/** Stores the outline; the status stays. */
export const planned = (outline: Plan, step: Step): StageResult => ({
  destination: () => ({ status: 'scraped', note: null }),
  changes: {},
  outline,
  step,
});

/** Keeps a person's earlier text: only empty fields are filled. */
export function generated(draft: Draft, article: Article, step: Step): StageResult {
  const empty = Object.entries(draft).filter(([name, value]) => {
    const present = article[name as keyof Draft];
    return value !== null && isEmpty(present);
  });
  return {
    destination: () => ({ status: 'generated', note: null }),
    changes: Object.fromEntries(empty),
    step,
  };
}

/**
 * The next status of an improved article (docs/spec/rulings.md, 10), depending on its missing parts, and on its claims.
 *
 * @param checked most: percent of the claims that may be without a source; null for any
 */
export const improved = (
  { suggestions, ...draft }: Revision,
  blueprint: Blueprint,
  checked: { readonly claims: Claims; readonly most: number | null },
  step: Step,
): StageResult => ({
  destination(article) {
    const notes = [shortcoming(article, blueprint), tooManyUnsupported(checked.claims.claims, checked.most)];
    const note = notes.filter(Boolean).join(' ');
    if (note !== '') return { status: 'needs_improvement', note };
    return { status: statusWithImage('queued', article.featured_image_url), note: null };
  },
  changes: Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null)),
  suggestions,
  claims: checked.claims,
  step,
});

/** The fewest words of an article whose format sets no minimum. */
export const SHORTEST = 150;
/** How far an article may stay below the words of its sections. */
const TOLERANCE = 0.8;

function shortcoming(article: Article, { requires, sections }: Blueprint): string | null {
  const missing = requires.filter((block) => isEmpty(article[block]));
  if (missing.length > 0) return `The article lacks what its format requires: ${missing.join(', ')}.`;
  const asked = sections.reduce((sum, { min_words: words = 0 }) => sum + words, 0);
  const least = asked === 0 ? SHORTEST : Math.floor(asked * TOLERANCE);
  const count = (article.content ?? '').split(/\s+/).filter((word) => word !== '').length;
  return count < least ? `The article has ${count} words; its format asks for at least ${least}.` : null;
}

const isEmpty = (value: Article[keyof Draft]): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);
