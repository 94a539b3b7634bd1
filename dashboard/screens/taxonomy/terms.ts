import type { Presswork } from '../../../sdk/src/index.ts';
import type { TermKind } from '../../content/terms.ts';

/** A category, tag or author; the last three are of authors alone. */
export interface Term {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly article_count: number;
  readonly updated_at: string;
  readonly bio?: string | null;
  readonly avatar_url?: string | null;
  readonly is_ai_generated?: boolean;
}

export type TermValues = Partial<Pick<Term, 'name' | 'slug' | 'bio' | 'avatar_url' | 'is_ai_generated'>>;

type Etag = { readonly meta: { readonly etag: string | null } };

/** The common part of the three resources. */
interface Terms {
  list(
    query: { limit: number; cursor?: string; q?: string },
    options: { signal: AbortSignal },
  ): PromiseLike<{ readonly items: readonly Term[]; readonly next_cursor: string | null }>;
  get(id: string, options: { signal: AbortSignal }): PromiseLike<Term & Etag>;
  create(body: TermValues & { name: string }, options: { idempotencyKey: string }): PromiseLike<Term>;
  update(id: string, body: TermValues, options: { ifMatch: Etag }): PromiseLike<Term>;
  delete(id: string): PromiseLike<unknown>;
}

export const termsOf = (presswork: Presswork, kind: TermKind): Terms => presswork[kind];

/** Who may change them. */
export const scopeOf = (kind: TermKind) =>
  kind === 'authors' ? ('authors:write' as const) : ('taxonomy:write' as const);
