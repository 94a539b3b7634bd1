import { tests as examples } from 'commonmark-spec';
import { renderMarkdown } from '../../../../packages/base/markdown/render.ts';
import { sanitise, writeHtml } from '../../../../packages/base/markdown/sanitise.ts';

/** GFM links addresses that CommonMark leaves alone: `< https://a.b >`, `https://a.b`, `a@b.c`. */
const ADDRESSES = [602, 608, 611, 612];
/** A `<style>` that nothing closes is shown, instead of taking the rest of the text. */
const UNCLOSED = [173];

/** Without white space that is not shown. */
const shown = (html: string): string =>
  html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=<)|(?<=>) /g, '')
    .trim();

const tabs = (text: string): string => text.replaceAll('→', '\t');

test('the examples of the CommonMark specification are rendered as it says, but for addresses and unclosed tags', () => {
  const different = examples.filter(({ markdown, html }) => {
    const rendering = renderMarkdown(tabs(markdown));
    return (
      !('html' in rendering) || shown(rendering.html) !== shown(writeHtml(sanitise(tabs(html).trimEnd())))
    );
  });
  expect(examples.length).toBeGreaterThan(600);
  expect(different.map(({ number }) => number)).toEqual([...UNCLOSED, ...ADDRESSES]);
});
