import { escapeHtml } from '../dom.ts';

/**
 * The list that WordPress shows for its block of footnotes. The texts are in the post's field `footnotes`, as JSON.
 *
 * @returns '' if there are none
 */
export function footnotesHtml(field: string): string {
  const items = notesOf(field).map(
    ({ id, content }) => `<li id="${escapeHtml(id)}">${content} <a href="#${escapeHtml(id)}-link">↩︎</a></li>`,
  );
  return items.length === 0 ? '' : `\n\n<ol>${items.join('')}</ol>\n\n`;
}

function notesOf(field: string): { id: string; content: string }[] {
  try {
    const notes = JSON.parse(field) as unknown;
    return Array.isArray(notes) ? notes.filter(isNote) : [];
  } catch {
    return [];
  }
}

const isNote = (note: unknown): note is { id: string; content: string } =>
  typeof note === 'object' &&
  note !== null &&
  typeof (note as { id?: unknown }).id === 'string' &&
  typeof (note as { content?: unknown }).content === 'string';
