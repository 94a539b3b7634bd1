import { build, isElement, isText } from '../dom.ts';
import type { DomElement, DomNode } from '../dom.ts';

const BLOCKS = new Set(
  `address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
   header hr iframe li main nav ol p pre section summary table tbody td tfoot th thead tr ul video audio object`.split(
    /\s+/,
  ),
);
/** Elements whose content is divided into paragraphs. */
const FLOWS = new Set('blockquote div section article aside main header footer center details'.split(' '));
/** Elements whose content is divided into paragraphs only if it has an empty line. */
const ITEMS = new Set('li td th dd'.split(' '));
const STRUCTURES = new Set('ul ol table tbody thead tfoot tr dl'.split(' '));

/** Converts the text of the classic editor: empty lines become paragraphs, line breaks become `<br>`. */
export function makeParagraphs(container: DomElement): void {
  let run: DomNode[] = [];
  const result: DomNode[] = [];
  const flush = (): void => {
    result.push(...paragraphsOf(run, container));
    run = [];
  };
  for (const node of container.childNodes) {
    if (isElement(node) && BLOCKS.has(node.localName)) {
      flush();
      descend(node);
      result.push(node);
    } else run.push(node);
  }
  flush();
  container.replaceChildren(...result);
}

function descend(element: DomElement): void {
  const { localName: name } = element;
  if (FLOWS.has(name)) makeParagraphs(element);
  else if (STRUCTURES.has(name)) for (const child of element.children) descend(child);
  else if (ITEMS.has(name)) {
    if (/\n\s*\n/.test(element.textContent.trim())) makeParagraphs(element);
    else for (const child of element.children) descend(child);
  }
}

function paragraphsOf(run: readonly DomNode[], near: DomElement): DomElement[] {
  const paragraphs: DomNode[][] = [[]];
  const last = (): DomNode[] => paragraphs.at(-1) as DomNode[];
  for (const node of run) {
    if (!isText(node)) {
      if (isElement(node)) breakInside(node);
      last().push(node);
      continue;
    }
    node.textContent.split(/\n[ \t]*\n\s*/).forEach((part, index) => {
      if (index > 0) paragraphs.push([]);
      last().push(...withBreaks(part, near, last().at(-1)));
    });
  }
  return paragraphs.filter(hasContent).map((nodes) => build(near, 'p', ...nodes));
}

const hasContent = (nodes: readonly DomNode[]): boolean =>
  nodes.some((node) =>
    isText(node) ? node.textContent.trim() !== '' : isElement(node) && node.localName !== 'br',
  );

/** Converts line breaks inside inline elements. */
function breakInside(element: DomElement): void {
  if (element.localName === 'script') return;
  for (const node of element.childNodes) {
    if (isElement(node)) breakInside(node);
    else if (isText(node) && node.textContent.includes('\n')) {
      node.replaceWith(...withBreaks(node.textContent, element, node.previousSibling));
    }
  }
}

/** Splits a text at line breaks, with a `<br>` for each, except directly after an existing `<br>`. */
function withBreaks(text: string, near: DomElement, before: DomNode | null | undefined): DomNode[] {
  const { ownerDocument: document } = near;
  const broken = before !== null && before !== undefined && isElement(before) && before.localName === 'br';
  const lines = (broken ? text.replace(/^[ \t]*\n/, '') : text).split('\n');
  return lines.flatMap((line, index) => {
    const node = document.createTextNode(line);
    return index === 0 ? [node] : [document.createElement('br'), node];
  });
}
