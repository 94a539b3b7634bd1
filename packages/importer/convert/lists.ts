import { build, isElement } from './dom.ts';
import type { DomElement, DomNode } from './dom.ts';

/** Makes lists what Markdown has: items only, each list in an item, and numbers that go up by one. */
export function prepareLists(body: DomElement, note: (message: string) => void): void {
  for (const list of body.querySelectorAll('ul, ol')) {
    gatherItems(list);
    if (list.localName === 'ol') numberItems(list, note);
  }
}

/** Editors put lists and text directly into lists; a browser shows both below the item before. */
function gatherItems(list: DomElement): void {
  const items: DomElement[] = [];
  let loose: DomNode[] = [];
  const flush = (): void => {
    if (loose.some((node) => node.textContent.trim() !== '')) items.push(build(list, 'li', ...loose));
    loose = [];
  };
  for (const child of list.childNodes) {
    const name = isElement(child) ? child.localName : '';
    const before = items.at(-1);
    if (name !== 'ul' && name !== 'ol' && name !== 'li') loose.push(child);
    else {
      flush();
      if (name === 'li') items.push(child as DomElement);
      else if (before === undefined) items.push(build(list, 'li', child));
      else before.append(child);
    }
  }
  flush();
  list.replaceChildren(...items);
}

const isNumber = (value: number): boolean => Number.isSafeInteger(value) && value >= 0 && value < 1e9;

/** An item with a number of its own begins a new list. */
function numberItems(list: DomElement, note: (message: string) => void): void {
  const start = list.getAttribute('start');
  const given = start === null ? 1 : Number(start);
  if (!isNumber(given) || list.getAttribute('reversed') !== null)
    note('the numbers of a list that counts down, or from below zero, are replaced by 1, 2, 3');
  let number = isNumber(given) ? given : 1;
  if (!isNumber(given)) list.removeAttribute('start');
  let current = list;
  for (const item of Array.from(list.children)) {
    const own = item.getAttribute('value');
    if (own !== null && isNumber(Number(own)) && Number(own) !== number) {
      number = Number(own);
      if (item !== list.children[0]) {
        const next = build(list, 'ol');
        after(current, next);
        current = next;
      }
      current.setAttribute('start', String(number));
    }
    if (item.parentNode !== current) current.append(item);
    number += 1;
  }
}

function after(node: DomElement, next: DomElement): void {
  if (node.nextSibling === null) node.parentNode?.append(next);
  else node.nextSibling.before(next);
}
