import { build, isElement, isText, oneLine } from './dom.ts';
import type { DomElement, DomNode } from './dom.ts';

/** The signs between the two parts of what a browser writes above, below or beside each other. */
const SIGNS = new Map([
  ['mfrac', '/'],
  ['msup', '^'],
  ['msub', '_'],
]);

/** Makes formulas (MathML) text: Markdown has none. */
export function writeFormulas(body: DomElement, note: (message: string) => void): void {
  for (const formula of body.querySelectorAll('math')) {
    const text = oneLine(textOf(formula));
    note(`a formula becomes text: ${text.slice(0, 100)}`);
    formula.replaceWith(build(formula, 'span', text));
  }
}

function textOf(node: DomNode): string {
  if (isText(node)) return oneLine(node.textContent);
  if (!isElement(node) || node.localName.startsWith('annotation')) return '';
  const parts = [...node.childNodes].map(textOf).filter((part) => part !== '');
  const sign = SIGNS.get(node.localName);
  if (sign !== undefined && parts.length === 2) return parts.map(grouped).join(sign);
  return parts.join(/^mt(?:able|r|d)$/.test(node.localName) ? ' ' : '');
}

const grouped = (part: string): string => (/^[\p{L}\p{N}]+$/u.test(part) ? part : `(${part})`);
