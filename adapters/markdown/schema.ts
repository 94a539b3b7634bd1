import type { Schema } from 'hast-util-sanitize';

/**
 * What rendered Markdown may contain (docs/spec/rulings.md, 15). Everything else is removed: an element that is not
 * named loses its tags and keeps its text, unless `strip` drops it with its content.
 */
export const schema: Schema = {
  tagNames: words(`
    a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3
    h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup
    table tbody td tfoot th thead time tr tt u ul var wbr`),
  strip: words(`
    applet audio canvas datalist embed frame frameset iframe math noembed noframes noscript object option plaintext
    script select style svg template textarea title video xmp`),
  attributes: {
    // An id that begins otherwise could take the name of something that a script of the page uses.
    '*': ['dir', 'lang', 'title', ['id', /^user-content-/]],
    a: [
      'href',
      'ariaLabel',
      'dataFootnoteRef',
      'dataFootnoteBackref',
      ['className', 'data-footnote-backref'],
    ],
    blockquote: ['cite'],
    code: [['className', /^language-./]],
    col: ['span'],
    colgroup: ['span'],
    del: ['cite', 'dateTime'],
    details: ['open'],
    img: ['src', 'alt', 'width', 'height'],
    input: [['type', 'checkbox'], ['disabled', true], 'checked'],
    ins: ['cite', 'dateTime'],
    li: ['value'],
    ol: ['reversed', 'start'],
    q: ['cite'],
    section: ['dataFootnotes', ['className', 'footnotes']],
    td: ['align', 'colSpan', 'rowSpan'],
    th: ['align', 'colSpan', 'rowSpan', 'scope'],
    time: ['dateTime'],
  },
  protocols: {
    cite: ['http', 'https'],
    href: ['http', 'https', 'mailto', 'tel', 'xmpp', 'irc', 'ircs'],
    src: ['http', 'https'],
  },
  ancestors: {
    input: ['li'],
    caption: ['table'],
    col: ['table'],
    colgroup: ['table'],
    tbody: ['table'],
    td: ['table'],
    tfoot: ['table'],
    th: ['table'],
    thead: ['table'],
    tr: ['table'],
  },
  // The rule for ids is above.
  clobber: [],
};

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
