import type { AiDisclosure, Origin } from '../kernel/origins.ts';
import type { Article, ArticleChanges } from './row.ts';

/** What counts as text of an article. */
export const textMembers = [
  'title',
  'content',
  'excerpt',
  'seo_title',
  'seo_description',
  'seo_keywords',
  'faqs',
  'key_takeaways',
  'howto_steps',
  'comparison',
] as const;

/** The origin after a client's changes. An agent's count as a person's. @param changes those that take effect */
export const editedOrigin = ({ origin }: Article, changes: ArticleChanges): Origin =>
  origin === 'generated' && textMembers.some((name) => name in changes) ? 'assisted' : origin;

/** The origin of an article that the pipeline writes. A title alone names its topic, and is not a text yet. */
export function writtenOrigin(before: Article): Origin {
  if (before.origin !== 'person') return before.origin;
  return textMembers.some((name) => name !== 'title' && !isEmpty(before[name])) ? 'assisted' : 'generated';
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

const IPTC = 'http://cv.iptc.org/newscodes/digitalsourcetype';
const sourceTypes: Readonly<Record<Origin, string | null>> = {
  person: null,
  assisted: `${IPTC}/compositeWithTrainedAlgorithmicMedia`,
  generated: `${IPTC}/trainedAlgorithmicMedia`,
};

/** The term of the IPTC that readers are shown; null if nothing is said. */
export const digitalSourceType = (disclosure: AiDisclosure, origin: Origin): string | null =>
  disclosure === 'mark' ? sourceTypes[origin] : null;
