import { build, fragmentOf, isText, nameOf } from './dom.ts';
import type { DomElement } from './dom.ts';

/** Elements for a footnote and for its marks, both with the attribute `data-note`. */
export const NOTE = 'presswork-note';
export const NOTE_MARK = 'presswork-note-mark';

/**
 * Finds the footnotes that editors and plug-ins made: a short link to an item of a list, from which a link leads back.
 * Each note becomes an element at the end, and each of its marks one in the text.
 */
export function readFootnotes(body: DomElement): void {
  const targets = new Map(
    [...body.querySelectorAll('[id], a[name]')].map((element) => [nameOf(element), element]),
  );
  const marks = [...body.querySelectorAll('a[href^="#"]')].filter(isMark);
  const notes = new Map<DomElement, string>();
  for (const mark of marks) {
    const note = noteOf(targets.get(fragmentOf(mark)));
    if (note === null || note.contains(mark) || !leadsBack(note, mark)) continue;
    const label = notes.get(note) ?? String(notes.size + 1);
    notes.set(note, label);
    const place =
      mark.parentNode?.localName === 'sup' && mark.parentNode.textContent.trim() === mark.textContent.trim()
        ? mark.parentNode
        : mark;
    stripBrackets(place);
    place.replaceWith(labelled(body, NOTE_MARK, label));
  }
  for (const [note, label] of notes) move(body, note, label);
}

/** `1`, `[1]`, `(a)`, `*`: a footnote's number, letter or sign. */
const isMark = (link: DomElement): boolean =>
  /^[[(]?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§]{1,3})[\])]?$/i.test(link.textContent.trim());

/** The item or paragraph of a note; its id may be on something within. */
function noteOf(target: DomElement | undefined): DomElement | null {
  return target?.closest('li, p, dd, div') ?? null;
}

function leadsBack(note: DomElement, mark: DomElement): boolean {
  return backLinks(note).some((link) => {
    const name = fragmentOf(link);
    return (
      name !== '' &&
      [
        mark,
        mark.parentNode,
        ...mark.querySelectorAll('[id], [name]'),
        ...(mark.parentNode?.querySelectorAll('[id], [name]') ?? []),
      ].some((element) => element !== null && nameOf(element) === name)
    );
  });
}

const backLinks = (note: DomElement): DomElement[] => [...note.querySelectorAll('a[href^="#"]')];

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

function move(body: DomElement, note: DomElement, label: string): void {
  for (const link of backLinks(note)) {
    // The mark of the note itself, such as [1], also leads back.
    const isSign = !/\p{L}{2}/u.test(link.textContent);
    if (isSign) (link.parentNode?.localName === 'sup' ? link.parentNode : link).remove();
  }
  const place = labelled(body, NOTE, label);
  place.append(...note.childNodes);
  removeEmpty(note);
  body.append(place);
}

/** Removes it, and what held nothing but notes: a list, a section. */
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
