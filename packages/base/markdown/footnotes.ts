import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it';

/** As many characters as a label may have in GFM. */
const LABEL_LENGTH = 999;

/** The plug-in's notes on a text: the labels of its notes, and the notes that the text refers to, in their order. */
interface Footnotes {
  /** The position in the list, or -1. */
  refs?: Record<string, number>;
  list?: { readonly label: string; count: number }[];
}

const footnotesOf = (env: unknown): Footnotes | undefined => (env as { footnotes?: Footnotes }).footnotes;

/**
 * As in GFM, labels are compared without case, and the first of several notes with the same label counts. The notes are put
 * at the end by a rule of our own, as the plug-in's takes the square of their number.
 */
export function foldLabels({ core, inline, utils }: MarkdownIt): void {
  const fold = (label: string): string => `:${utils.normalizeReference(label)}`;
  core.ruler.after('block', 'further_footnotes', addDefinitions);
  core.ruler.after('further_footnotes', 'footnote_labels', (state) => foldNotes(state, fold));
  inline.ruler.at('footnote_ref', (state, silent) => readReference(state, silent, fold));
  core.ruler.at('footnote_tail', moveNotes);
}

/** Adds definitions from outside, whatever is left open at the end of the text. */
function addDefinitions({ md, env, tokens }: StateCore): void {
  const { definitions } = env as { definitions?: string };
  if (definitions) md.block.parse(definitions, md, env, tokens);
}

function foldNotes(state: StateCore, fold: (label: string) => string): void {
  const footnotes = footnotesOf(state.env);
  if (footnotes === undefined) return;
  footnotes.refs = {};
  let again = false;
  state.tokens = state.tokens.filter(({ type, meta }) => {
    if (type === 'footnote_reference_open') {
      const named = meta as { label: string };
      named.label = fold(named.label);
      again = footnotes.refs?.[named.label] !== undefined;
      if (!again && footnotes.refs) footnotes.refs[named.label] = -1;
    }
    const kept = !again;
    if (type === 'footnote_reference_close') again = false;
    return kept;
  });
}

const mark = new RegExp(`^\\[\\^([^\\]\\s]{1,${LABEL_LENGTH}})\\]`);

function readReference(state: StateInline, silent: boolean, fold: (label: string) => string): boolean {
  const footnotes = footnotesOf(state.env);
  if (footnotes?.refs === undefined || !state.src.startsWith('[^', state.pos)) return false;
  const end = Math.min(state.posMax, state.pos + LABEL_LENGTH + 3);
  const [found = '', written = ''] = mark.exec(state.src.slice(state.pos, end)) ?? [];
  const label = fold(written);
  let id = footnotes.refs[label];
  if (id === undefined) return false;
  state.pos += found.length;
  if (silent) return true;
  footnotes.list ??= [];
  if (id < 0) id = footnotes.refs[label] = footnotes.list.push({ label, count: 0 }) - 1;
  const note = footnotes.list[id];
  if (note !== undefined) state.push('footnote_ref', '', 0).meta = { id, subId: note.count++, label };
  return true;
}

/** Moves the notes that the text refers to behind it, in the order of the references, and drops the others. */
function moveNotes(state: StateCore): void {
  const footnotes = footnotesOf(state.env);
  if (footnotes === undefined) return;
  const notes = new Map<string, Token[]>();
  const text: Token[] = [];
  let current = text;
  for (const token of state.tokens) {
    if (token.type === 'footnote_reference_open') {
      current = [];
      notes.set((token.meta as unknown as { label: string }).label, current);
    } else if (token.type === 'footnote_reference_close') current = text;
    else current.push(token);
  }
  state.tokens = text;
  if (footnotes.list === undefined) return;
  const add = (type: string, nesting: -1 | 0 | 1, meta: object | null = null): void => {
    const token = new state.Token(type, '', nesting);
    Object.assign(token, { meta });
    text.push(token);
  };
  add('footnote_block_open', 1);
  for (const [id, { label, count }] of footnotes.list.entries()) {
    add('footnote_open', 1, { id });
    for (const token of notes.get(label) ?? []) text.push(token);
    const end = text.at(-1)?.type === 'paragraph_close' ? text.pop() : undefined;
    for (let subId = 0; subId < count; subId += 1) add('footnote_anchor', 0, { id, subId });
    if (end !== undefined) text.push(end);
    add('footnote_close', -1);
  }
  add('footnote_block_close', -1);
}

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
