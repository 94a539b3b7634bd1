import { parseFragment } from 'parse5';
import { renderMarkdown } from '../../../../packages/base/markdown/render.ts';
import { toMarkdown } from '../../../../packages/importer/convert/markdown.ts';

/** What readers saw must be what they see: the text of the HTML, and of the Markdown as the product renders it. */
export function converted(html: string): {
  readonly markdown: string;
  readonly html: string;
  readonly text: string;
} {
  const differences: string[] = [];
  const context = {
    base: null,
    note: () => {},
    differs: (message: string) => void differences.push(message),
  };
  const markdown = toMarkdown(html, context);
  const rendered = renderMarkdown(markdown);
  if (!('html' in rendered)) throw new Error(rendered.refused);
  expect(differences).toEqual([]);
  return { markdown, html: rendered.html, text: textOf(rendered.html) };
}

/** The text without white space, of which Markdown has its own. */
function textOf(html: string): string {
  const parts: string[] = [];
  const pending: any[] = [parseFragment(html, { scriptingEnabled: false })];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.nodeName === '#text') parts.push(node.value);
    else pending.push(...(node.childNodes ?? []).toReversed());
  }
  return parts.join('').replaceAll(/\s+/g, '');
}

/** Expects that readers see the same characters. */
export const same = (html: string): void => expect(converted(html).text).toBe(textOf(html));
