import { z } from 'zod';

/** What the sources say of a claim (docs/spec/rulings.md, 25). */
export const verdicts = ['supported', 'weak', 'unsupported'] as const;

/** The most claims of a text, and characters of one and of its evidence. */
export const CLAIMS = 300;
const CLAIM_LENGTH = 2_000;
export const EVIDENCE_LENGTH = 500;

const foundClaim = z.object({
  /** A sentence or a clause, word by word as the text has it. */
  text: z.string().min(1).max(CLAIM_LENGTH),
  verdict: z.enum(verdicts),
  source_n: z.int().nullable(),
  /** Word by word as the source has it; only the beginning of a longer one is used. */
  evidence: z
    .string()
    .max(10 * EVIDENCE_LENGTH)
    .nullable(),
});

/** What a model says that a text claims. */
export const foundClaims = z.object({ claims: z.array(foundClaim).max(CLAIMS) });

export type FoundClaim = z.infer<typeof foundClaim>;

/** A claim that the text makes, with evidence that the source has. */
export interface Claim extends FoundClaim {
  /** Where it begins in the text, in code points. */
  readonly near: number;
}

/** A text that claims something, and what may be said of it. */
export interface Material {
  readonly content: string;
  readonly sources: readonly { readonly n: number; readonly text: string | null }[];
  /** What people say about the topic. */
  readonly notes: string | null;
  readonly locale: string;
}

/** The claims of a text. */
export interface Claims {
  readonly of: string;
  readonly claims: readonly Claim[];
}

/** What is wrong if too many claims are without a source; those that are weak have one. @param most percent; null for any */
export function tooManyUnsupported(claims: readonly Claim[], most: number | null): string | null {
  const without = claims.filter(({ verdict }) => verdict === 'unsupported').length;
  return most === null || without * 100 <= most * claims.length
    ? null
    : `${without} of ${claims.length} claims have no source; at most ${most} % may.`;
}
