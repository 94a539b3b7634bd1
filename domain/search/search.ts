import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { readSearch } from './syntax.ts';
import type { Alternative, Term } from './syntax.ts';
import { wordsOf } from './words.ts';

/** A search in the form in which statements take it. */
export interface Search {
  /** The texts that must and must not occur in the words of a row, by alternative, as JSON. */
  readonly alternatives: string;
  /** The query of the index: a `tsquery`. */
  readonly keys: string;
  /** Whether the index's answer may have too many rows, so that their words are compared as well. */
  readonly inexact: boolean;
  /** Whether asking the index takes long, as many words may begin like one of the search. */
  readonly costly: boolean;
}

/**
 * Makes a search of a client's text.
 *
 * @param fold makes words of texts as the rows have them
 * @returns null if it has no word, so that nothing is found
 */
export function prepareSearch(siteId: string, text: string, fold = wordsOf): Search | null {
  const alternatives = readSearch(text)
    .map((terms) => terms.flatMap((term) => folded(term, fold(term.text))))
    .filter((terms) => terms.length > 0);
  if (alternatives.length === 0) return null;
  const looked = alternatives.map((terms) => keysOf(siteId, terms));
  return {
    alternatives: JSON.stringify(alternatives.map(patternsOf)),
    keys: looked.map(({ keys }) => `(${keys.join(' & ')})`).join(' | '),
    inexact: looked.some(({ inexact }) => inexact),
    costly: looked.some(({ costly }) => costly),
  };
}

interface FoldedTerm extends Omit<Term, 'text'> {
  readonly words: readonly string[];
}

/** Nothing for a term without a word, such as a dash. */
const folded = ({ negated, prefix }: Alternative[number], text: string): FoldedTerm[] => {
  const words = text.split(' ').filter((word) => word !== '');
  return words.length === 0 ? [] : [{ words, negated, prefix }];
};

/** Words consist of letters and digits, so that nothing in them has a meaning in a pattern. */
function patternsOf(terms: readonly FoldedTerm[]) {
  const patterns = (negated: boolean): string[] =>
    terms
      .filter((term) => term.negated === negated)
      .map(({ words, prefix }) => `% ${words.join(' ')}${prefix ? '%' : ' %'}`);
  return { required: patterns(false), refused: patterns(true) };
}

/** The most letters of a word in the index (search_keys of the migrations). */
const KEY_LETTERS = 40;
/** So many words begin with a single letter that the index takes long to find them all. */
const SHORT_PREFIX_LETTERS = 1;

function keysOf(siteId: string, terms: readonly FoldedTerm[]) {
  const site = siteId.slice(-12);
  const keys: string[] = [];
  let inexact = false;
  let costly = false;
  for (const { words, negated, prefix } of terms) {
    const letters = words.map((word) => Array.from(word));
    const cut = letters.some(({ length }) => length > KEY_LETTERS);
    if (cut || words.length > 1) inexact = true;
    if (negated) {
      if (!cut && words.length === 1) keys.push(`!'${site}${words[0]}'`);
      continue;
    }
    for (const [index, word] of letters.entries()) {
      const isPrefix = prefix && index === words.length - 1;
      keys.push(`'${site}${word.slice(0, KEY_LETTERS).join('')}'${isPrefix ? ':*' : ''}`);
      if (isPrefix && word.length <= SHORT_PREFIX_LETTERS) costly = true;
    }
  }
  const positive = keys.some((key) => !key.startsWith('!'));
  return { keys: positive ? keys : [`'${site}'`, ...keys], inexact, costly };
}

/** Whether a row's words match the search. */
export const matches = (search: Search, words: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  exists (
    select from jsonb_to_recordset(${search.alternatives}::jsonb) as asked (required text[], refused text[])
    where (${words}) collate "C" like all (asked.required) and not (${words}) collate "C" like any (asked.refused)
  )`;
