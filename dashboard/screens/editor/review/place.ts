import { EditorView } from '@codemirror/view';

/** What is selected in the text, and which of its occurrences it is. */
export interface Selected {
  readonly quote: string;
  readonly occurrence: number;
}

/** The most that a note quotes. */
const LONGEST = 1_000;

const textView = (): EditorView | null => {
  const dom = document.querySelector<HTMLElement>('.cm-editor');
  return dom === null ? null : EditorView.findFromDOM(dom);
};

/** The selection of the text, which stays when the focus leaves it; null if nothing is selected. */
export function selected(): Selected | null {
  const state = textView()?.state;
  if (state === undefined) return null;
  const { from, to } = state.selection.main;
  const quote = state.sliceDoc(from, to);
  if (quote.trim() === '' || [...quote].length > LONGEST) return null;
  return { quote, occurrence: placesOf(state.sliceDoc(0, to), quote).length };
}

/** Selects a quote in the text: the occurrence nearest to a place. */
export function show(quote: string, near: number): void {
  const view = textView();
  if (view === null) return;
  const wanted = view.state.toText(quote).toString();
  const places = placesOf(view.state.doc.toString(), wanted);
  const [first] = places.toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near));
  if (first === undefined) return;
  view.dispatch({ selection: { anchor: first, head: first + wanted.length }, scrollIntoView: true });
  view.focus();
}

function placesOf(text: string, quote: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) places.push(at);
  return places;
}
