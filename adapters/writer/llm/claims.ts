import { CLAIMS, EVIDENCE_LENGTH } from '../../../domain/pipeline/claims/claim.ts';
import type { FoundClaim } from '../../../domain/pipeline/claims/claim.ts';
import { WriterError } from '../../../domain/pipeline/writer.ts';
import type { Spent, Written } from '../../../domain/pipeline/writer.ts';
import type { BriefSource } from '../../../domain/prompts/about-site.ts';
import { addUp } from './spent.ts';

/** Characters of the text of one question, so that the answer has room for every sentence, and the most questions. */
const PIECE = 8_000;
const PIECES = 20;

/** Asks what a text claims and what its sources say of it, one piece of the text after another. */
export async function askForClaims(
  content: string,
  sources: readonly BriefSource[],
  ask: (prompt: string) => Promise<Written<{ readonly claims: readonly FoundClaim[] }>>,
): Promise<Written<readonly FoundClaim[]>> {
  const claims: FoundClaim[] = [];
  const spent: Spent[] = [];
  for (const piece of piecesOf(content)) {
    if (claims.length >= CLAIMS) break;
    const answered = await ask(questionOf(piece, sources)).catch((error: unknown) => {
      throw error instanceof WriterError ? error.after(addUp([...spent, error.spent])) : error;
    });
    spent.push(answered);
    claims.push(...answered.value.claims);
  }
  return { value: claims.slice(0, CLAIMS), ...addUp(spent) };
}

/** Parts of a text that end with a paragraph, or at least with a line if there is one. */
function piecesOf(content: string): readonly string[] {
  const size = Math.max(PIECE, Math.ceil((2 * content.length) / PIECES));
  const pieces: string[] = [];
  let rest = content;
  while (rest.length > size) {
    const most = rest.slice(0, size);
    const end = [most.lastIndexOf('\n\n'), most.lastIndexOf('\n'), size].find((at) => at > size / 2) ?? size;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest].map((piece) => piece.toWellFormed()).filter((piece) => piece.trim() !== '');
}

const questionOf = (piece: string, sources: readonly BriefSource[]): string =>
  `Check the text below against its sources. List what it claims: each sentence, or each clause if a sentence claims ` +
  'several things, that states a fact which somebody could check. Leave out opinions, advice, questions and headings. ' +
  'For each, in the order of the text:\n' +
  '- text: the sentence or clause, copied from the text without a change.\n' +
  '- verdict: "supported" if a source says the same; "weak" if it says only a part of it, or something like it; ' +
  '"unsupported" if no source says it. What you know yourself does not count.\n' +
  '- source_n: the number of that source; null if unsupported.\n' +
  `- evidence: the words of the source that say it, copied without a change, at most ${EVIDENCE_LENGTH} characters; null if ` +
  'unsupported.\n\n' +
  `The sources:\n\n${sources.map(textOf).join('\n\n')}\n\nThe text:\n\n${piece}`;

const textOf = ({ n, url, title, text }: BriefSource): string =>
  `Source ${n}: ${[title, url].filter(Boolean).join(', ')}\n${text ?? '(could not be read)'}`;
