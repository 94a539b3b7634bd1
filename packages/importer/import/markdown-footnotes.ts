import type { fromMarkdown } from 'mdast-util-from-markdown';

type Options = Extract<NonNullable<Parameters<typeof fromMarkdown>[1]>, object>;
type Extension = Extract<NonNullable<Options['extensions']>[number], { document?: unknown }>;
type Construct = Exclude<NonNullable<Extension['document']>[string], readonly unknown[] | undefined>;
type Effects = Parameters<Construct['tokenize']>[0];
type State = Parameters<Construct['tokenize']>[1];
type Code = Parameters<State>[0];

/** Characters, as the parser has them: a tab is one code and fillers, and line ends have codes below it. */
const TAB = -2;
const FILLER = -1;
const SPACE = 32;
const COLON = 58;
const OPENING = 91;
const CLOSING = 93;
const CARET = 94;

const isLineEnd = (code: Code): boolean => code === null || code < TAB;

/** How far the lines of a footnote are indented. */
const INDENT = 4;

/**
 * A parser extension that knows footnotes as the renderer does: `[^label]:`, and the indented lines that follow. A footnote
 * becomes a block quote of the tree, because images are looked for in both alike.
 */
export const footnotes: Extension = {
  document: {
    [OPENING]: {
      name: 'footnote',
      tokenize: beginFootnote,
      continuation: { tokenize: continueFootnote },
      exit: (effects) => void effects.exit('blockQuote'),
    },
  },
};

function beginFootnote(effects: Effects, ok: State, nok: State): State {
  let isEmpty = true;
  return opening;

  function opening(code: Code): State {
    effects.enter('blockQuote', { _container: true });
    effects.enter('blockQuotePrefix');
    effects.consume(code);
    return caret;
  }

  function caret(code: Code): State | undefined {
    if (code !== CARET) return nok(code);
    effects.consume(code);
    return label;
  }

  function label(code: Code): State | undefined {
    if (isLineEnd(code) || code === SPACE || (code === CLOSING && isEmpty)) return nok(code);
    isEmpty = false;
    effects.consume(code);
    return code === CLOSING ? colon : label;
  }

  function colon(code: Code): State | undefined {
    if (code !== COLON) return nok(code);
    effects.consume(code);
    return skipIndent(effects, () => ok);
  }
}

function continueFootnote(effects: Effects, ok: State, nok: State): State {
  return (code) => {
    if (isLineEnd(code)) return ok(code);
    effects.enter('blockQuotePrefix');
    return skipIndent(effects, (width, next) => (width === INDENT || isLineEnd(next) ? ok : nok))(code);
  };
}

/** Ends the prefix of a line with the white space in it, up to the width of an indent. */
function skipIndent(effects: Effects, then: (width: number, next: Code) => State): State {
  let width = 0;
  return function skip(code) {
    if (width < INDENT && (code === TAB || code === FILLER || code === SPACE)) {
      width += 1;
      effects.consume(code);
      return skip;
    }
    effects.exit('blockQuotePrefix');
    return then(width, code)(code);
  };
}
