import type { MarkdownIt, Token } from 'markdown-it';

/** Footnotes have ids that no script of a page can take for its own, and the names that GitHub's have. */
export function nameFootnotes({ renderer: { rules } }: MarkdownIt): void {
  rules['footnote_ref'] = (tokens, index) => {
    const { note, reference } = ids(tokens[index]);
    return `<sup><a href="#${note}" id="${reference}" data-footnote-ref>${numberOf(tokens[index])}</a></sup>`;
  };
  rules['footnote_block_open'] = () => '<section data-footnotes class="footnotes">\n<ol>\n';
  rules['footnote_open'] = (tokens, index) => `<li id="${ids(tokens[index]).note}">`;
  rules['footnote_anchor'] = (tokens, index) => {
    const label = `Back to reference ${numberOf(tokens[index])}`;
    return ` <a href="#${ids(tokens[index]).reference}" data-footnote-backref class="data-footnote-backref" aria-label="${label}">↩</a>`;
  };
}

/** `subId` counts the references to one note. */
interface Meta {
  readonly id: number;
  readonly subId?: number;
}

const metaOf = (token: Token | undefined): Meta => token?.meta as unknown as Meta;

const numberOf = (token: Token | undefined): number => metaOf(token).id + 1;

function ids(token: Token | undefined): { readonly note: string; readonly reference: string } {
  const { subId = 0 } = metaOf(token);
  const number = numberOf(token);
  const again = subId > 0 ? `-${subId + 1}` : '';
  return { note: `user-content-fn-${number}`, reference: `user-content-fnref-${number}${again}` };
}
