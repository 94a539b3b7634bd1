import type { Draft, Extraction } from './writer.ts';

/** A citation in plain text, with the white space before it. */
const citation = /[^\S\n]{0,4}\[\^([^\]\s]{1,999})\]/g;

/** @param numberOf the number that a citation is to have; null if it is to go */
export const mapCitations = (text: string, numberOf: (n: number) => number | null): string =>
  text.replaceAll(citation, (found, label: string) => {
    const number = numberOf(Number(label));
    return number === null ? '' : found.replace(/\[.*/, () => `[^${number}]`);
  });

export const hasCitation = (text: string): boolean => text.search(citation) >= 0;

/**
 * The facts that a source bears out. They cite only sources that were read; if there was one, each fact is from it.
 *
 * @param read the numbers of the sources that were read
 */
export function citedFacts({ facts }: Extraction, read: ReadonlySet<number>): Extraction {
  if (read.size === 0) return { facts: [] };
  const [only] = read;
  return {
    facts: facts.map((fact) => {
      const cited = mapCitations(fact, (n) => (read.has(n) ? n : null)).trim();
      return read.size === 1 && !hasCitation(cited) ? `${cited} [^${only}]` : cited;
    }),
  };
}

/** A draft whose plain texts cite nothing: only in the content a citation leads anywhere. */
export const citedInContentOnly = <Text extends Draft>({ content, ...plain }: Text): Text =>
  ({ ...(withoutCitations(plain) as object), content }) as Text;

function withoutCitations(value: unknown): unknown {
  if (typeof value === 'string') return mapCitations(value, () => null);
  if (Array.isArray(value)) return value.map(withoutCitations);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutCitations(member)]));
}
