import type { Schema } from 'hast-util-sanitize';

/**
 * The allowed content of rendered Markdown (docs/spec/rulings.md, 15). Everything else is removed: an element that is not
 * named loses its tags and keeps its text, unless `strip` drops it with its content.
 */
export const schema: Schema = {
  tagNames: words(`
    a abbr audio b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3
    h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp section small source span strong sub
    summary sup table tbody td tfoot th thead time tr tt u ul var video wbr`),
  strip: words(`
    applet canvas datalist embed frame frameset iframe math noembed noframes noscript object option plaintext
    script select style svg template textarea title xmp`),
  attributes: {
    // Ids and names get a beginning of their own (place.ts).
    '*': ['dir', 'lang', 'title', 'id'],
    a: [
      'href',
      'name',
      'ariaLabel',
      'dataFootnoteRef',
      'dataFootnoteBackref',
      ['className', 'data-footnote-backref'],
    ],
    audio: ['src', 'controls', 'loop', 'muted', 'preload'],
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
    source: ['src', 'type'],
    td: ['align', 'colSpan', 'rowSpan'],
    th: ['align', 'colSpan', 'rowSpan', 'scope'],
    time: ['dateTime'],
    video: ['src', 'controls', 'loop', 'muted', 'preload', 'poster', 'width', 'height'],
  },
  protocols: {
    cite: ['http', 'https'],
    href: ['http', 'https', 'mailto', 'tel', 'xmpp', 'irc', 'ircs'],
    poster: ['http', 'https'],
    src: ['http', 'https'],
  },
  ancestors: {
    input: ['li'],
    source: ['audio', 'video'],
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
  // The rule for ids is in place.ts.
  clobber: [],
};

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
