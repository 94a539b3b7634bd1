import { build, isElement } from './dom.ts';
import type { DomElement, DomNode } from './dom.ts';

const FORMATTING =
  'a, b, strong, em, i, u, s, del, ins, strike, mark, small, big, sub, sup, span, font, code, kbd, q, cite, abbr, label';
const BLOCKS =
  'p, div, ul, ol, dl, blockquote, h1, h2, h3, h4, h5, h6, pre, table, hr, figure, details, section, article, aside, header, footer, center';
/** The markup between a block and its text. */
const isStructure = (name: string): boolean => /^(?:ul|ol|dl|figure|details)$/.test(name);
const isText = (name: string): boolean => !/^(?:pre|table|hr|iframe|video|audio)$/.test(name);

/** Formatting around blocks goes into each of them: Markdown has it within a paragraph only. */
export function divideFormatting(body: DomElement): void {
  // The inner ones come first.
  for (const element of [...body.querySelectorAll(FORMATTING)].toReversed()) {
    if (element.querySelector(BLOCKS) !== null) element.replaceWith(...divided(element, element));
  }
}

function divided(parent: DomElement, formatting: DomElement): DomNode[] {
  const result: DomNode[] = [];
  let run: DomNode[] = [];
  const flush = (): void => {
    if (run.length > 0)
      result.push(run.some(hasText) ? formatted(run, formatting) : build(formatting, 'span', ...run));
    run = [];
  };
  for (const child of parent.childNodes) {
    if (!isElement(child) || (!isBlock(child) && child.querySelector(BLOCKS) === null)) {
      run.push(child);
      continue;
    }
    flush();
    if (isStructure(child.localName)) for (const item of child.children) fill(item, formatting);
    else fill(child, formatting);
    result.push(child);
  }
  flush();
  return result;
}

const blocks: ReadonlySet<string> = new Set([...BLOCKS.split(', '), 'li']);
const isBlock = ({ localName }: DomElement): boolean => blocks.has(localName);

function fill(block: DomElement, formatting: DomElement): void {
  if (isText(block.localName) && !isWithin(block, formatting.localName))
    block.replaceChildren(...divided(block, formatting));
}

function isWithin(block: DomElement, name: string): boolean {
  for (let only = onlyChild(block); only !== null; only = onlyChild(only)) {
    if (only.localName === name) return true;
  }
  return false;
}

function onlyChild(element: DomElement): DomElement | null {
  const [first, second] = element.childNodes;
  return first !== undefined && second === undefined && isElement(first) ? first : null;
}

const hasText = (node: DomNode): boolean =>
  node.textContent.trim() !== '' || (isElement(node) && node.localName === 'img');

function formatted(nodes: readonly DomNode[], like: DomElement): DomElement {
  const copy = build(like, like.localName, ...nodes);
  for (const { name, value } of like.attributes) copy.setAttribute(name, value);
  return copy;
}
