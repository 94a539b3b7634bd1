import type { MarkdownIt, StateInline, Token } from 'markdown-it';

/** GFM's strikethrough, between one or two tildes on each side; that of the parser takes two or more only. */
export function strikethrough({ inline }: MarkdownIt): void {
  inline.ruler.at('strikethrough', readTildes);
  inline.ruler2.at('strikethrough', strikePairs);
}

const TILDE = 0x7e;
/** The parser pairs delimiters of the same marker: one tilde must not be closed by two. */
const markers = { '~': TILDE, '~~': -TILDE };

function readTildes(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false;
  const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true);
  const content = '~'.repeat(length);
  state.push('text', '', 0).content = content;
  state.pos += length;
  if (content !== '~' && content !== '~~') return true;
  state.delimiters.push({
    marker: markers[content],
    // The rule of three is for emphasis only.
    length: 0,
    token: state.tokens.length - 1,
    end: -1,
    open,
    close,
  });
  return true;
}

function strikePairs({ tokens, delimiters, tokens_meta: meta }: StateInline): boolean {
  for (const group of [delimiters, ...meta.map((one) => one?.delimiters ?? [])]) {
    for (const { marker, token, end } of group) {
      const closing = group[end];
      if (Math.abs(marker) !== TILDE || closing === undefined) continue;
      strike(tokens[token], 1);
      strike(tokens[closing.token], -1);
    }
  }
  return true;
}

function strike(token: Token | undefined, nesting: 1 | -1): void {
  if (token === undefined) return;
  Object.assign(token, { type: nesting === 1 ? 's_open' : 's_close', tag: 'del', nesting, content: '' });
}
