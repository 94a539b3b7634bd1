import { build, fragmentOf, isText, nameOf } from './dom.ts';
import type { DomElement } from './dom.ts';

/** Elements for a footnote and for its marks, both with the attribute `data-note`. */
export const NOTE = 'presswork-note';
export const NOTE_MARK = 'presswork-note-mark';

const WORD_JOINER = '\u2060';

/**
 * Finds the footnotes that editors and plug-ins made: a short link to an item of a list, from which a link leads back.
 * Each note becomes an element at the end, and each of its marks one in the text.
 */
export function readFootnotes(body: DomElement): void {
  const targets = new Map(
    [...body.querySelectorAll('[id], a[name]')].map((element) => [nameOf(element), element]),
  );
  const order = new Map([...body.querySelectorAll('*')].map((element, index) => [element, index]));
  const placeOf = (element: DomElement): number => order.get(element) ?? 0;
  const namesIn = remembered(namesOf);
  const linksIn = remembered(linksOf);
  const notes = new Map<DomElement, Note>();
  const found = [...body.querySelectorAll('a[href^="#"]')].filter(isMark).flatMap((mark) => {
    const element = noteOf(targets.get(fragmentOf(mark)));
    return element === null || element.contains(mark) ? [] : [{ mark, element }];
  });
  for (const { mark, element } of found) {
    const links = linksIn(element);
    const backs = [...namesIn(mark.parentNode ?? mark)].flatMap((name) => links.get(name) ?? []);
    // The number at a note leads to the text in the same way, but the text comes first.
    if (backs.length === 0 || placeOf(element) < placeOf(mark)) continue;
    const note = notes.get(element) ?? { label: String(notes.size + 1), backs: new Set() };
    for (const link of backs) note.backs.add(link);
    notes.set(element, note);
  }
  for (const { mark, element } of found) {
    const note = notes.get(element);
    if (note !== undefined) replaceMark(body, mark, note.label);
  }
  for (const [element, note] of notes) move(body, element, note);
}

interface Note {
  readonly label: string;
  /** The links back to its marks. */
  readonly backs: Set<DomElement>;
}

function replaceMark(body: DomElement, mark: DomElement, label: string): void {
  const place =
    mark.parentNode?.localName === 'sup' && mark.parentNode.textContent.trim() === mark.textContent.trim()
      ? mark.parentNode
      : mark;
  stripBrackets(place);
  const made = labelled(body, NOTE_MARK, label);
  // Were it empty, the white space before it and that after it would be one.
  made.textContent = WORD_JOINER;
  place.replaceWith(made);
}

/** `1`, `[1]`, `(a)`, `*`: a footnote's number, letter or sign. */
const isMark = (link: DomElement): boolean =>
  /^[[(]?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§]{1,3})[\])]?$/i.test(link.textContent.trim());

/** The item or paragraph of a note; its id may be on something within. */
function noteOf(target: DomElement | undefined): DomElement | null {
  return target?.closest('li, p, dd, div') ?? null;
}

/** The names of an element and of all that is in it. A mark's own may stand beside it. */
const namesOf = (element: DomElement): ReadonlySet<string> =>
  new Set([element, ...element.querySelectorAll('[id], [name]')].map(nameOf).filter((name) => name !== ''));

/** The links within the page that are in an element, by where they lead. */
const linksOf = (element: DomElement): ReadonlyMap<string, DomElement[]> =>
  Map.groupBy(element.querySelectorAll('a[href^="#"]'), fragmentOf);

/** A paragraph may have thousands of marks, and so may a note. */
function remembered<T>(read: (element: DomElement) => T): (element: DomElement) => T {
  const known = new Map<DomElement, T>();
  return (element) => {
    const value = known.get(element) ?? read(element);
    known.set(element, value);
    return value;
  };
}

/** WordPress and others write `[1]` with the brackets outside of the link. */
function stripBrackets(place: DomElement): void {
  const { previousSibling: before, nextSibling: next } = place;
  if (before === null || next === null || !isText(before) || !isText(next)) return;
  if (!before.textContent.endsWith('[') || !next.textContent.startsWith(']')) return;
  before.textContent = before.textContent.slice(0, -1);
  next.textContent = next.textContent.slice(1);
}

function labelled(near: DomElement, name: string, label: string): DomElement {
  const element = build(near, name);
  element.setAttribute('data-note', label);
  return element;
}

function move(body: DomElement, note: DomElement, { label, backs }: Note): void {
  for (const link of backs) {
    // The mark of the note itself, such as [1], also leads back. Words stay, but lead nowhere.
    const isSign = !/\p{L}{2}/u.test(link.textContent);
    if (isSign) (link.parentNode?.localName === 'sup' ? link.parentNode : link).remove();
    else link.replaceWith(...link.childNodes);
  }
  const place = labelled(body, NOTE, label);
  place.append(...note.childNodes);
  removeEmpty(note);
  body.append(place);
}

/** Removes it, and elements that held nothing but notes: a list, a section. */
function removeEmpty(element: DomElement): void {
  const { parentNode: parent } = element;
  element.remove();
  if (
    parent === null ||
    parent.localName === 'body' ||
    parent.textContent.trim() !== '' ||
    parent.querySelector('img, iframe') !== null
  )
    return;
  removeEmpty(parent);
}
