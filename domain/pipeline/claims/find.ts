import { areAlike, tellingWords } from '../alike.ts';
import { sentences } from '../sentences.ts';
import { agree, asEvidence, UNSUPPORTED } from './check.ts';
import { CLAIMS } from './claim.ts';
import type { Claim, FoundClaim, Material } from './claim.ts';
import { placesIn, plain } from './place.ts';

/** A sentence that may be evidence. */
interface Said {
  readonly sentence: string;
  readonly words: ReadonlySet<string>;
  /** Null for the notes. */
  readonly n: number | null;
}

/**
 * The claims of a text without a model: each sentence that states something. It is supported by a sentence of a source or
 * of the notes that means the same, first by one that it cites.
 */
export function findClaims({ content, sources, notes, locale }: Material): readonly Claim[] {
  const said = [...sources, { n: null, text: notes }].flatMap(({ n, text }) =>
    sentences(text ?? '', locale).map((sentence): Said => ({ sentence, words: tellingWords(sentence), n })),
  );
  const place = placesIn(content);
  return statements(content, locale).flatMap((sentence) => {
    const placed = place(sentence);
    return placed === null
      ? []
      : [{ text: placed.text, near: placed.near, ...judged(sentence, placed.cites, said) }];
  });
}

function judged(sentence: string, cites: readonly number[], said: readonly Said[]): Omit<FoundClaim, 'text'> {
  const words = tellingWords(sentence);
  const alike = said.filter((other) => areAlike(words, other.words));
  const isCited = ({ n }: Said): boolean => n !== null && agree(cites, n);
  const best = alike.find(isCited) ?? alike[0];
  if (best === undefined) return UNSUPPORTED;
  const isWeak = best.n !== null && !isCited(best);
  return { verdict: isWeak ? 'weak' : 'supported', source_n: best.n, evidence: asEvidence(best.sentence) };
}

/** The sentences of prose that state something, in order. */
const statements = (content: string, locale: string): readonly string[] =>
  paragraphs(content)
    .flatMap((paragraph) => sentences(plain(paragraph).text, locale))
    .filter((sentence) => !/[?:]["'”’)]*$/.test(sentence))
    .slice(0, CLAIMS);

/** The prose of a text: paragraphs and items of lists, without code, headings, tables, images and definitions. */
function paragraphs(content: string): readonly string[] {
  const found: string[][] = [[]];
  let fence: string | null = null;
  for (const line of content.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3);
    if (mark !== undefined && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    else if (fence === null) {
      const isApart = /^\s*(?:$|#|\||<|!\[|\[\^?[^\]]{1,100}\]:)/.test(line);
      if (isApart || /^[\s>]*(?:[-+*]|\d{1,3}[.)])\s/.test(line)) found.push([]);
      if (!isApart) found.at(-1)?.push(line);
    }
  }
  return found.map((lines) => lines.join('\n'));
}
