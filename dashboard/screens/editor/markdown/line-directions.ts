import type { Extension } from '@codemirror/state';
import { RangeSetBuilder } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin } from '@codemirror/view';
import type { DecorationSet, ViewUpdate } from '@codemirror/view';

const byItsText = Decoration.line({ attributes: { dir: 'auto' } });

/** Each line that is on the screen has the direction of its own text. */
export const lineDirections: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;

      constructor(view: EditorView) {
        this.decorations = marked(view);
      }

      update({ docChanged, viewportChanged, view }: ViewUpdate): void {
        if (docChanged || viewportChanged) this.decorations = marked(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
];

function marked({ state, visibleRanges }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
      lines.add(line.from, line.from, byItsText);
      if (line.to >= to) break;
    }
  }
  return lines.finish();
}
