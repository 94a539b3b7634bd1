import { escapeHtml as escape } from '../dom.ts';
import { cardHtml } from './cards.ts';
import type { Payload } from './cards.ts';

interface Mobiledoc {
  readonly atoms?: readonly (readonly [name: string, text: string, payload: Payload])[];
  readonly cards?: readonly (readonly [name: string, payload: Payload])[];
  readonly markups?: readonly (readonly [element: string, attributes?: readonly string[]])[];
  readonly sections?: readonly (readonly unknown[])[];
}

/** [0 text or 1 atom, opened markups, how many close, text or index of an atom] */
type Marker = readonly [type: number, opened: readonly number[], closed: number, value: string | number];

const MARKUP = 1;
const IMAGE = 2;
const LIST = 3;
const CARD = 10;

/** The document of Ghost's editor before version 5 as HTML. @param lost told of what has no place in an article */
export function mobiledocHtml(json: string, lost: (card: string) => void): string {
  const document = JSON.parse(json) as Mobiledoc;
  return (document.sections ?? []).map((section) => sectionHtml(section, document, lost)).join('\n');
}

function sectionHtml(section: readonly unknown[], document: Mobiledoc, lost: (card: string) => void): string {
  const [type, first, second] = section;
  if (type === IMAGE) return `<p><img src="${escape(String(first))}" alt=""></p>`;
  if (type === MARKUP) return wrap(String(first), markersHtml(second as readonly Marker[], document));
  if (type === LIST) {
    const items = (second as readonly (readonly Marker[])[]).map((item) =>
      wrap('li', markersHtml(item, document)),
    );
    return wrap(String(first), items.join(''));
  }
  if (type !== CARD) return '';
  const [name, payload] = document.cards?.[Number(first)] ?? ['', {}];
  const html = cardHtml(name, payload);
  if (html === null) lost(name);
  return html ?? '';
}

const SECTIONS: Readonly<Record<string, string>> = { aside: 'blockquote', 'pull-quote': 'blockquote' };

function wrap(name: string, content: string): string {
  const element = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : name;
  const known = /^(?:p|h[1-6]|blockquote|ul|ol|li)$/.test(element ?? '') ? element : 'p';
  return `<${known}>${content}</${known}>`;
}

function markersHtml(markers: readonly Marker[], document: Mobiledoc): string {
  const open: string[] = [];
  let html = '';
  for (const [type, opened, closed, value] of markers) {
    for (const index of opened) {
      const [element, attributes = []] = document.markups?.[index] ?? ['span'];
      const name = /^[a-z]+$/.test(element) ? element : 'span';
      const href = attributes[attributes.indexOf('href') + 1];
      html += name === 'a' && href !== undefined ? `<a href="${escape(href)}">` : `<${name}>`;
      open.push(name);
    }
    html += type === 1 ? atomHtml(document.atoms?.[Number(value)]) : escape(String(value));
    for (let count = 0; count < closed; count += 1) {
      const name = open.pop();
      if (name === undefined) break;
      html += `</${name}>`;
    }
  }
  return html;
}

const atomHtml = (atom: readonly [name: string, text: string, payload: Payload] | undefined): string =>
  atom?.[0] === 'soft-return' ? '<br>' : escape(atom?.[1] ?? '');
