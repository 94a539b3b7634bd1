import type { MarkdownIt } from 'markdown-it';

/** After these tags a browser reads no HTML until they are closed. */
const raw = /^<(iframe|noembed|noframes|noscript|plaintext|script|style|template|textarea|title|xmp)\b/i;

/** Shows such a tag as text if its paragraph does not close it, as GFM does: it would take the rest of the article. */
export function showUnclosedTags({ renderer: { rules }, utils: { escapeHtml } }: MarkdownIt): void {
  rules['html_inline'] = (tokens, index) => {
    const content = tokens[index]?.content ?? '';
    const [, name] = raw.exec(content) ?? [];
    if (name === undefined) return content;
    const end = `</${name.toLowerCase()}`;
    const closed = tokens.some((later, at) => at > index && later.content.toLowerCase().startsWith(end));
    return closed ? content : escapeHtml(content);
  };
}
