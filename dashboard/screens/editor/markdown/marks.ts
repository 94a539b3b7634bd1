import { EditorSelection } from '@codemirror/state';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView, KeyBinding } from '@codemirror/view';

/** Puts a mark around the selection, or takes it away. */
const toggle =
  (mark: string) =>
  (view: EditorView): boolean => {
    view.dispatch(
      view.state.changeByRange((range) => around(view.state, mark, range.from, range.to)),
      {
        scrollIntoView: true,
        userEvent: 'input',
      },
    );
    view.focus();
    return true;
  };

function around(
  state: EditorState,
  mark: string,
  from: number,
  to: number,
): { range: ReturnType<typeof EditorSelection.range>; changes: TransactionSpec['changes'] & {} } {
  const { length } = mark;
  const isMarked = state.sliceDoc(from - length, from) === mark && state.sliceDoc(to, to + length) === mark;
  if (isMarked) {
    return {
      changes: [
        { from: from - length, to: from },
        { from: to, to: to + length },
      ],
      range: EditorSelection.range(from - length, to - length),
    };
  }
  // The mark ends here already: what is typed next comes after it.
  if (from === to && state.sliceDoc(to, to + length) === mark) {
    return { changes: [], range: EditorSelection.range(to + length, to + length) };
  }
  return {
    changes: [
      { from, insert: mark },
      { from: to, insert: mark },
    ],
    range: EditorSelection.range(from + length, to + length),
  };
}

export const toggleStrong = toggle('**');
export const toggleEmphasis = toggle('_');
export const toggleCode = toggle('`');

/** Makes a link of the selection, with the cursor where the address goes. */
export function insertLink(view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  const text = view.state.sliceDoc(from, to);
  view.dispatch({
    changes: { from, to, insert: `[${text}]()` },
    selection: { anchor: text === '' ? from + 1 : from + text.length + 3 },
    userEvent: 'input',
  });
  view.focus();
  return true;
}

/** Puts something at the beginning of every selected line, or takes it away. */
export const toggleLines =
  (prefix: string) =>
  (view: EditorView): boolean => {
    const { state } = view;
    const { from, to } = state.selection.main;
    const lines = [];
    for (let at = state.doc.lineAt(from); ; at = state.doc.line(at.number + 1)) {
      lines.push(at);
      if (at.to >= to) break;
    }
    const isMarked = lines.every(({ text }) => text.startsWith(prefix));
    view.dispatch({
      changes: lines.map((line) =>
        isMarked ? { from: line.from, to: line.from + prefix.length } : { from: line.from, insert: prefix },
      ),
      userEvent: 'input',
    });
    view.focus();
    return true;
  };

export const marks: readonly KeyBinding[] = [
  { key: 'Mod-b', run: toggleStrong },
  { key: 'Mod-i', run: toggleEmphasis },
  { key: 'Mod-e', run: toggleCode },
  // Ctrl-K opens the search of the dashboard.
  { key: 'Mod-Shift-k', run: insertLink },
];
