const FOOTNOTES = '<section data-footnotes';
const END = '</section>';

/**
 * HTML from which Ghost's editor loses nothing. It knows deleted text as `s` only, and takes the ids from footnotes, to
 * which the text links, unless they are a card of HTML.
 *
 * @param html of the renderer, which ends with the footnotes
 */
export function htmlForEditor(html: string): string {
  const known = html.replaceAll('<del>', '<s>').replaceAll('</del>', '</s>');
  const begin = known.lastIndexOf(FOOTNOTES);
  if (begin < 0) return known;
  const end = known.lastIndexOf(END) + END.length;
  const card = `<!--kg-card-begin: html-->\n${known.slice(begin, end)}\n<!--kg-card-end: html-->`;
  return `${known.slice(0, begin)}${card}${known.slice(end)}`;
}
