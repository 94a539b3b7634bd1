import { checkClaims } from './check.ts';
import type { Claim, FoundClaim, Material } from './claim.ts';
import { findClaims } from './find.ts';

/** The claims of a text. @param found what a model says that they are; null if none was asked */
export const examineClaims = ({
  found,
  ...material
}: Material & { readonly found: readonly FoundClaim[] | null }): readonly Claim[] =>
  found === null ? findClaims(material) : checkClaims(material, found);
