import { validationFailed } from './errors.ts';

/** The pages that a topic names: one by itself, and others. */
export interface NamedSources {
  readonly source_url?: string | null | undefined;
  readonly source_urls?: readonly string[] | undefined;
}

/** The most pages of a topic (docs/spec/rulings.md, 25). */
export const SOURCES = 20;

export const TOO_MANY_SOURCES = `must have at most ${SOURCES} pages, together with source_url`;

/** Each page once, in the order in which they are named. */
export const namedSources = ({ source_url: first, source_urls: others = [] }: NamedSources): string[] => [
  ...new Set(first ? [first, ...others] : others),
];

/** @throws ServiceError VALIDATION_FAILED on `source_urls` */
export function requireFewSources(named: NamedSources): void {
  if (namedSources(named).length > SOURCES) throw validationFailed({ source_urls: TOO_MANY_SOURCES });
}
