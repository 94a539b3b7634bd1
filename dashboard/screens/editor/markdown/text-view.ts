import { diff } from '@codemirror/merge';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { nonce } from '../../../ui/nonce.ts';

/** Bounds the work of finding what another version changed. */
const SCAN_LIMIT = 500;

/** A change that did not come from the person in front of the editor. */
const fromOutside = Annotation.define<boolean>();

/** The editor of one text. Line endings stay as they are. */
export class TextView {
  readonly view: EditorView;
  readonly #extensions = new Compartment();

  constructor(parent: Element, text: string, extensions: Extension, onEdit: (text: string) => void) {
    const lineSeparator = /\r\n/.test(text) && !/[^\r]\n/.test(text) ? '\r\n' : '\n';
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorState.lineSeparator.of(lineSeparator),
          // The first style sheet is made before the rest is configured.
          EditorView.cspNonce.of(nonce),
          this.#extensions.of(extensions),
          EditorView.updateListener.of(({ docChanged, transactions, state }) => {
            if (docChanged && !transactions.every((one) => one.annotation(fromOutside)))
              onEdit(state.sliceDoc());
          }),
        ],
      }),
    });
  }

  /** Other texts of the interface, with what has been undone and selected left as it is. */
  configure(extensions: Extension): void {
    this.view.dispatch({ effects: this.#extensions.reconfigure(extensions) });
  }

  /** Takes over another version. The cursor stays where it is in the text, and it can be undone. */
  show(text: string): void {
    const { state } = this.view;
    const current = state.sliceDoc();
    if (current === text) return;
    // Positions count a line ending as one character.
    const [before, after] = [state.doc.toString(), state.toText(text)];
    const changes = diff(before, after.toString(), { scanLimit: SCAN_LIMIT }).map(
      ({ fromA, toA, fromB, toB }) => ({
        from: fromA,
        to: toA,
        insert: after.slice(fromB, toB),
      }),
    );
    this.view.dispatch({ changes, annotations: fromOutside.of(true) });
  }

  destroy(): void {
    this.view.destroy();
  }
}
