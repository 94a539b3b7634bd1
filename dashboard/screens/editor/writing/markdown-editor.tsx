import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { EditorView } from '@codemirror/view';
import { useLanguage } from '../../../text/language.ts';
import { useText } from '../../../text/texts.ts';
import { useMayWrite, useSession } from '../article/use-article.ts';
import { textOrNull } from '../fields.ts';
import { extensionsFor } from '../markdown/extensions.ts';
import { TextView } from '../markdown/text-view.ts';
import { writingTexts } from './text.ts';
import styles from './writing.module.css';

export interface MarkdownEditorProps {
  readonly onReady: (editor: TextView | null) => void;
  /** @param at the position in the text */
  readonly onImages: (files: readonly File[], at: number) => void;
}

/** The text. It is outside of React, so that no keystroke waits for a component. */
export function MarkdownEditor({ onReady, onImages }: MarkdownEditorProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<TextView | null>(null);
  const { saver } = useSession();
  const mayWrite = useMayWrite();
  const language = useLanguage();
  const text = useText(writingTexts);
  useEffect(() => {
    const parent = place.current as HTMLDivElement;
    const edit = (content: string): void => saver.edit({ content: textOrNull(content) });
    const editor = new TextView(parent, saver.state.mine.content ?? '', [], edit);
    shown.current = editor;
    onReady(editor);
    const end = saver.subscribe(({ mine }) => editor.show(mine.content ?? ''));
    return () => {
      end();
      editor.destroy();
      shown.current = null;
      onReady(null);
    };
  }, [saver, onReady]);
  useEffect(() => {
    const label = text.content;
    const { placeholder, problems } = text;
    const extensions = extensionsFor(language, { label, placeholder, problems }, mayWrite);
    shown.current?.configure(mayWrite ? [extensions, imagesTo(onImages)] : extensions);
  }, [language, text, mayWrite, onImages]);
  return <div ref={place} className={styles.text} />;
}

/** Takes images that are pasted or dropped. */
const imagesTo = (onImages: MarkdownEditorProps['onImages']) =>
  EditorView.domEventHandlers({
    paste: (event, view) => take(event, event.clipboardData, view.state.selection.main.head, onImages),
    drop: (event, view) => {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
      return take(event, event.dataTransfer, at, onImages);
    },
  });

function take(
  event: Event,
  data: DataTransfer | null,
  at: number,
  onImages: MarkdownEditorProps['onImages'],
): boolean {
  const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
  // A spreadsheet gives its cells as text and as an image.
  if (files.length === 0 || data?.types.includes('text/plain')) return false;
  event.preventDefault();
  onImages(files, at);
  return true;
}
