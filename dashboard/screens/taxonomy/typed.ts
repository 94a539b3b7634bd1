import type { TermKind } from '../../content/terms.ts';
import type { Term, TermValues } from './terms.ts';

/** The values of the fields. */
export interface Typed {
  readonly name: string;
  readonly slug: string;
  readonly bio: string;
  readonly avatar_url: string;
  readonly is_ai_generated: boolean;
}

export const typedOf = (term: Term | null): Typed => ({
  name: term?.name ?? '',
  slug: term?.slug ?? '',
  bio: term?.bio ?? '',
  avatar_url: term?.avatar_url ?? '',
  is_ai_generated: term?.is_ai_generated ?? false,
});

/** The body of a new one. An empty address is left to the API. */
export const sentOf = (kind: TermKind, typed: Typed): TermValues & { name: string } => ({
  name: typed.name,
  ...(typed.slug.trim() !== '' && { slug: typed.slug.trim() }),
  ...(kind === 'authors' && authorValues(typed)),
});

/** The body of a change: the differences, and nothing else. */
export function changedIn(before: Typed, typed: Typed, kind: TermKind): TermValues {
  const all: TermValues = {
    name: typed.name,
    slug: typed.slug.trim(),
    ...(kind === 'authors' && authorValues(typed)),
  };
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => typed[name as keyof Typed] !== before[name as keyof Typed]),
  );
}

const authorValues = ({ bio, avatar_url: url, is_ai_generated }: Typed): TermValues => ({
  bio: bio === '' ? null : bio,
  avatar_url: url.trim() === '' ? null : url.trim(),
  is_ai_generated,
});
