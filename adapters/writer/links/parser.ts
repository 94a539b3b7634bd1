import { createParser } from '../../../packages/base/markdown/parser.ts';
import type {
  MarkdownIt,
  Ruler,
  StateBlock,
  StateInline,
  Token,
} from '../../../packages/base/markdown/parser.ts';

type RuleInline = (state: StateInline, silent: boolean) => boolean;
type RuleBlock = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

/** From one character up to another, in the content of a token. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Where the text of a link ends. */
  readonly textEnd?: number;
}

const spans = new WeakMap<Token, Span>();

/** Of the tokens that begin the definition of a footnote, its lines. */
const noteLines = new WeakMap<Token, readonly [first: number, end: number]>();

export const linesOfNote = (token: Token) => noteLines.get(token);

/** Where a link, an image, a citation or a tag stands in the content of its block, if the parser's rules say so. */
export const spanOf = (token: Token): Span | undefined => spans.get(token);

/**
 * The product's parser, which also tells where in the text it found what, and keeps definitions where they are. A citation
 * is one without a definition, too.
 */
export function createLocatingParser(): MarkdownIt {
  const parser = createParser();
  parser.inline.ruler.at('footnote_ref', readCitation);
  parser.core.ruler.disable(['strip_references', 'footnote_labels', 'footnote_tail']);
  replaceRules(parser.inline.ruler, locate);
  replaceRules(parser.block.ruler, locateNotes);
  return parser;
}

function replaceRules<Args extends unknown[], Result>(
  ruler: Ruler<Args, Result>,
  wrap: (rule: (...args: Args) => Result) => (...args: Args) => Result,
): void {
  const getRules = ruler.getRules.bind(ruler);
  const wrapped = getRules('').map(wrap);
  // The other chains only look ahead.
  ruler.getRules = (chain) => (chain === '' ? wrapped : getRules(chain));
}

const locate =
  (rule: RuleInline): RuleInline =>
  (state, silent) => {
    const { pos, tokens } = state;
    const { length } = tokens;
    if (!rule(state, silent)) return false;
    if (silent) return true;
    for (let at = length; at < tokens.length; at += 1) {
      const token = tokens[at] as Token;
      // Text is added before that belongs to an earlier position.
      if (token.type === 'text' || spans.has(token)) continue;
      spans.set(token, spanFrom(token, tokens[at + 1]));
    }
    return true;

    function spanFrom({ type, markup }: Token, next: Token | undefined): Span {
      const { pos: end } = state;
      if (type !== 'link_open') return { start: pos, end };
      // The rule begins at the colon.
      if (markup === 'linkify') return { start: end - (next?.content.length ?? 0), end };
      if (markup !== '') return { start: pos, end };
      return { start: pos, end, textEnd: state.md.helpers.parseLinkLabel(state, pos, true) };
    }
  };

const locateNotes =
  (rule: RuleBlock): RuleBlock =>
  (state, startLine, endLine, silent) => {
    const { length } = state.tokens;
    if (!rule(state, startLine, endLine, silent)) return false;
    const first = silent ? undefined : state.tokens[length];
    if (first?.type === 'footnote_reference_open') noteLines.set(first, [startLine, state.line]);
    return true;
  };

const mark = /\[\^([^\]\s]{1,999})\]/y;

const readCitation: RuleInline = (state, silent) => {
  mark.lastIndex = state.pos;
  const [found, label = ''] = mark.exec(state.src) ?? [];
  if (found === undefined || state.pos + found.length > state.posMax) return false;
  if (!silent) state.push('citation', '', 0).content = label;
  state.pos += found.length;
  return true;
};
