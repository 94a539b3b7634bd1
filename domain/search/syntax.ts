/** A part of a search: a word, or several that follow each other. */
export interface Term {
  readonly text: string;
  /** Whether it must not occur. */
  readonly negated: boolean;
  /** Whether its last word may go on. */
  readonly prefix: boolean;
}

/** Terms of which all hold. */
export type Alternative = readonly Term[];

/** A quoted text, which may end without a quote; or a text up to a space or quote. */
const piece = /(?<minus>-?)(?:["“”](?<quoted>[^"“”]*)(?<closed>["“”]?)|(?<bare>[^\s"“”]+))/gu;

/**
 * Reads the syntax of web searches (docs/spec/rulings.md, 15): `"phrase"`, `-word`, `or`. Every text can be read. As in
 * PostgreSQL's own reading, `or` has the least weight. The last word matches as a prefix, unless a closing quote says that
 * it has ended, or it is excluded.
 *
 * @returns the alternatives that `or` separates, none of them empty
 */
export function readSearch(text: string): readonly Alternative[] {
  const alternatives: Term[][] = [[]];
  for (const { groups = {} } of text.matchAll(piece)) {
    const { minus, quoted, closed, bare } = groups;
    if (minus === '' && bare?.toLowerCase() === 'or') alternatives.push([]);
    else {
      const negated = minus === '-';
      alternatives.at(-1)?.push({
        text: quoted ?? bare ?? '',
        negated,
        prefix: !negated && !closed,
      });
    }
  }
  const asked = alternatives.filter((terms) => terms.length > 0);
  const last = asked.at(-1)?.at(-1);
  return asked.map((terms) => terms.map((term) => ({ ...term, prefix: term.prefix && term === last })));
}
