import { escapeHtml } from '../dom.ts';

export interface Footnote {
  readonly id: string;
  /** HTML. */
  readonly content: string;
}

/**
 * The list that WordPress shows for its block of footnotes. The texts are in the post's field `footnotes`, as JSON.
 *
 * @returns '' if there are none
 */
export const footnotesHtml = (field: string): string => listOfNotes(notesOf(field));

export function listOfNotes(notes: readonly Footnote[]): string {
  const items = notes.map(
    ({ id, content }) => `<li id="${escapeHtml(id)}">${content} <a href="#${escapeHtml(id)}-link">↩︎</a></li>`,
  );
  return items.length === 0 ? '' : `\n\n<ol>${items.join('')}</ol>\n\n`;
}

function notesOf(field: string): Footnote[] {
  try {
    const notes = JSON.parse(field) as unknown;
    return Array.isArray(notes) ? notes.filter(isNote) : [];
  } catch {
    return [];
  }
}

const isNote = (note: unknown): note is Footnote =>
  typeof note === 'object' &&
  note !== null &&
  typeof (note as { id?: unknown }).id === 'string' &&
  typeof (note as { content?: unknown }).content === 'string';
