import { CLAIMS, EVIDENCE_LENGTH } from './claim.ts';
import type { Claim, FoundClaim, Material } from './claim.ts';
import { placesIn, saysSomething } from './place.ts';

/**
 * Believes a model nothing that cannot be looked up: the text has to make the claim, and the source to have the evidence.
 * A claim whose sentence cites other sources than this one is weak at most.
 */
export function checkClaims(
  { content, sources }: Pick<Material, 'content' | 'sources'>,
  found: readonly FoundClaim[],
): readonly Claim[] {
  const place = placesIn(content);
  const texts = new Map(sources.map(({ n, text }) => [n, oneLine(text ?? '')]));
  return found.slice(0, CLAIMS).flatMap((claim) => {
    const placed = place(claim.text);
    return placed === null
      ? []
      : [{ text: placed.text, near: placed.near, ...judged(claim, placed.cites, texts) }];
  });
}

export const UNSUPPORTED = { verdict: 'unsupported', source_n: null, evidence: null } as const;

function judged(
  { verdict, source_n: n, evidence: quoted }: FoundClaim,
  cites: readonly number[],
  texts: ReadonlyMap<number, string>,
): Omit<FoundClaim, 'text'> {
  const evidence = asEvidence(quoted ?? '');
  const isThere = n !== null && saysSomething(evidence) && (texts.get(n) ?? '').includes(evidence);
  if (verdict === 'unsupported' || !isThere) return UNSUPPORTED;
  return { verdict: agree(cites, n) ? verdict : 'weak', source_n: n, evidence };
}

/** Whether a sentence cites a source, or none at all. */
export const agree = (cites: readonly number[], n: number): boolean =>
  cites.length === 0 || cites.includes(n);

/** The beginning of a quote, in one line. */
export const asEvidence = (quote: string): string =>
  oneLine(quote)
    .slice(0, EVIDENCE_LENGTH)
    // The cut may split a character.
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
