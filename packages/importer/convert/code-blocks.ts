import { build, isElement, isText } from './dom.ts';
import type { DomElement, DomNode } from './dom.ts';

/** Gives code blocks their language and verses their lines. */
export function prepareCode(body: DomElement): void {
  for (const pre of body.querySelectorAll('pre')) {
    if (pre.getAttribute('data-presswork-markdown') !== null) continue;
    if (pre.getAttribute('class')?.includes('wp-block-verse') === true) verse(pre);
    else plain(pre);
  }
  for (const code of body.querySelectorAll('code')) if (code.closest('pre') === null) divide(code);
}

function plain(pre: DomElement): void {
  const language = languageOf(pre);
  const text = textOf(pre)
    .replace(/^\r?\n/, '')
    .trimEnd();
  const code = build(pre, 'code', text);
  if (language !== '') code.setAttribute('class', `language-${language}`);
  pre.replaceChildren(code);
}

/** A paragraph that keeps its line breaks. */
function verse(pre: DomElement): void {
  const paragraph = build(pre, 'p', ...pre.childNodes);
  breakLines(paragraph);
  pre.replaceWith(paragraph);
}

function breakLines(element: DomElement): void {
  for (const node of element.childNodes) {
    if (isElement(node)) breakLines(node);
    else if (isText(node)) {
      const lines = node.textContent.split('\n');
      node.replaceWith(
        ...lines.flatMap((line, index) => {
          const text = element.ownerDocument.createTextNode(line);
          return index === 0 ? [text] : [element.ownerDocument.createElement('br'), text];
        }),
      );
    }
  }
}

/** Code of several lines outside of a block: a block if it is alone, else one piece of code a line. */
function divide(code: DomElement): void {
  const lines = textOf(code).split('\n');
  if (code.querySelector('br') === null) return;
  const parent = code.parentNode;
  if (
    parent?.localName === 'p' &&
    [...parent.childNodes].every((node) => node === code || node.textContent.trim() === '')
  ) {
    const pre = build(code, 'pre', build(code, 'code', lines.join('\n').trim()));
    parent.replaceWith(pre);
    return;
  }
  code.replaceWith(
    ...lines.flatMap((line, index) => [
      ...(index === 0 ? [] : [code.ownerDocument.createElement('br')]),
      ...(line.trim() === '' ? [] : [build(code, 'code', line.trim())]),
    ]),
  );
}

/** Within a text these begin a line, as `<br>` does; cells are apart. */
const LINES = /^(?:br|p|div|li|tr|h[1-6]|blockquote|table|ul|ol)$/;
const CELLS = /^t[dh]$/;

/** The text of a node, with line breaks where a browser has some. */
function textOf(node: DomNode): string {
  if (isText(node)) return node.textContent;
  const name = isElement(node) ? node.localName : '';
  const text = [...node.childNodes].map(textOf).join('');
  if (CELLS.test(name)) return `${text} `;
  return LINES.test(name) ? `\n${text}` : text;
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
