import type { MarkdownIt, StateCore } from 'markdown-it';
import { schema } from './schema.ts';

/** They have no content that they could take. */
const empty = new Set(['embed', 'frame', 'frameset']);
/** Of these, a player shows nothing of the content. */
const players = ['audio', 'video'];
const names = [...(schema.strip ?? []).filter((name) => !empty.has(name)), ...players];
const tag = new RegExp(`<(/?)(${names.join('|')})\\b`, 'gi');

/**
 * Shows a tag as text if nothing after it closes it, and readers do not see the content of its element. The rest of the
 * article would be part of that content. GFM likewise shows some of these tags.
 */
export function showUnclosedTags({ core }: MarkdownIt): void {
  core.ruler.push('unclosed_tags', ({ tokens }: StateCore) => {
    const html = tokens
      .flatMap((token) => [token, ...(token.children ?? [])])
      .filter(({ type }) => type === 'html_inline' || type === 'html_block');
    const lastEnds = findLastEnds(html.map(({ content }) => content));
    let number = 0;
    for (const token of html) {
      token.content = token.content.replace(tag, (found, slash: string, name: string) => {
        number += 1;
        const isClosed = number < (lastEnds.get(name.toLowerCase()) ?? 0);
        return slash !== '' || isClosed ? found : `&lt;${name}`;
      });
    }
  });
}

/** The number of the last end tag of each name, among all tags. */
function findLastEnds(contents: readonly string[]): Map<string, number> {
  const ends = new Map<string, number>();
  const tags = contents.flatMap((content) => [...content.matchAll(tag)]);
  for (const [index, [, slash, name = '']] of tags.entries()) {
    // Nothing ends plain text.
    if (slash !== '' && name.toLowerCase() !== 'plaintext') ends.set(name.toLowerCase(), index + 1);
  }
  return ends;
}
