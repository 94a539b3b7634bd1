import { isElement, isText } from './dom.ts';
import type { DomElement, DomNode } from './dom.ts';

/** A fenced block, with the language that the old site's highlighter was given, if any. */
export function codeBlock(pre: DomElement): string {
  const code = textOf(pre)
    .replace(/^\r?\n/, '')
    .trimEnd();
  const fence = '`'.repeat(
    (code.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 2) + 1,
  );
  return `\n\n${fence}${languageOf(pre)}\n${code}\n${fence}\n\n`;
}

/** A paragraph that keeps its line breaks. */
export const verse = (content: string): string =>
  `\n\n${content
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/([^\n])\n(?=[^\n])/g, '$1  \n')}\n\n`;

/** The text of a node, with `<br>` as a line break. */
function textOf(node: DomNode): string {
  if (isText(node)) return node.textContent;
  if (isElement(node) && node.localName === 'br') return '\n';
  return [...node.childNodes].map(textOf).join('');
}

const ATTRIBUTES = ['data-language', 'data-lang', 'data-enlighter-language', 'lang'];
const CLASSES = [
  /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/i,
  /(?:^|\s)brush:\s*([\w+#.-]+)/i,
  /(?:^|\s)highlight-source-([\w+#.-]+)/i,
];

function languageOf(pre: DomElement): string {
  const code = pre.querySelector('code');
  for (const element of code === null ? [pre] : [code, pre]) {
    const named = ATTRIBUTES.map((name) => element.getAttribute(name)).find(
      (value) => value !== null && value !== '',
    );
    const classes = element.getAttribute('class') ?? '';
    const found =
      named ?? CLASSES.map((pattern) => pattern.exec(classes)?.[1]).find((value) => value !== undefined);
    if (found !== undefined && found !== null && /^[\w+#.-]{1,40}$/.test(found)) return found.toLowerCase();
  }
  return '';
}
