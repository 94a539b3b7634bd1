import type { MarkdownIt, Token } from 'markdown-it';

/** The text is not rendered, on any machine. The message is the end of a sentence that begins with "The content". */
export class ContentRefused extends Error {
  override name = 'ContentRefused';
}

/** Maximum length of the HTML. References to a long link make it many times as long as the text. */
export const MAX_LENGTH = 4_000_000;

export const tooLong = (): ContentRefused =>
  new ContentRefused(`has more than ${MAX_LENGTH} characters as HTML`);
export const tooDeep = (): ContentRefused => new ContentRefused('is nested too deeply');
export const tooMuch = (): ContentRefused =>
  new ContentRefused('has too many brackets or other marks that are opened and never closed');

/**
 * Steps of the parser. The largest article takes one for each of its 900,000 characters, and a few more in links; what is
 * looked at again and again takes the square of that.
 */
const STEPS = 20_000_000;
/** Tokens of blocks. A table of one-digit numbers has one for each of its characters. */
const TOKENS = 1_500_000;

/**
 * Bounds the cost of a text by counting, so that it is refused by every machine or by none (packages/base/markdown/README.md).
 *
 * @throws ContentRefused while the parser parses or renders
 */
export function boundWork({ inline, block, core, options }: MarkdownIt): void {
  let steps = 0;
  const step = (): void => {
    if ((steps += 1) > STEPS) throw tooMuch();
  };
  core.ruler.before('normalize', 'begin', () => {
    steps = 0;
  });
  block.ruler.before('table', 'bound', ({ tokens }) => {
    if (tokens.length > TOKENS) throw tooMuch();
    step();
    return false;
  });
  inline.ruler.before('text', 'bound', () => {
    step();
    return false;
  });
  const skipToken = inline.skipToken.bind(inline);
  inline.skipToken = (state) => {
    step();
    skipToken(state);
  };
  core.ruler.push('bound', ({ tokens }) => {
    let length = 0;
    for (const { nesting, level, content, attrs, children } of tokens) {
      // The parser leaves out deeper elements.
      if (nesting === 1 && level + 1 >= options.maxNesting) throw tooDeep();
      length += content.length + lengthOf(attrs);
      for (const child of children ?? []) length += lengthOf(child.attrs);
      if (length > MAX_LENGTH) throw tooLong();
    }
  });
}

const lengthOf = (attrs: Token['attrs']): number =>
  attrs?.reduce((length, [name, value]) => length + name.length + String(value).length, 0) ?? 0;
