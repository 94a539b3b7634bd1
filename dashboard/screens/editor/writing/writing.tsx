import { useCallback, useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { onDemand } from '../../../ui/on-demand.tsx';
import { useMayWrite } from '../article/use-article.ts';
import { useField } from '../fields.ts';
import type { TextView } from '../markdown/text-view.ts';
import { MarkdownEditor } from './markdown-editor.tsx';
import { TitleField } from './title-field.tsx';
import { Toolbar } from './toolbar.tsx';
import { writingTexts } from './text.ts';
import styles from './writing.module.css';

const ImageDialog = onDemand(async () => (await import('../images/image-dialog.tsx')).ImageDialog);

/** Images to be described, uploaded and put into the text. */
interface Arrived {
  readonly files: readonly File[];
  readonly at: number;
}

/** The title and the text. */
export function Writing(): ReactNode {
  const text = useText(writingTexts);
  const mayWrite = useMayWrite();
  const { errorAt } = useField('content');
  const [editor, setEditor] = useState<TextView | null>(null);
  const [arrived, setArrived] = useState<Arrived | null>(null);
  const onImages = useCallback((files: readonly File[], at: number) => setArrived({ files, at }), []);
  const [file, ...others] = arrived?.files ?? [];
  const next = (at: number): void => setArrived(others.length > 0 ? { files: others, at } : null);
  const insert = (markdown: string): void => {
    if (editor === null || arrived === null) return;
    const at = Math.min(arrived.at, editor.view.state.doc.length);
    editor.view.dispatch({
      changes: { from: at, insert: markdown },
      selection: { anchor: at + markdown.length },
    });
    next(at + markdown.length);
    editor.view.focus();
  };
  const error = errorAt();
  return (
    <section className={styles.writing} aria-label={text.content}>
      <TitleField onEnter={() => editor?.view.focus()} />
      {mayWrite && (
        <Toolbar
          editor={editor}
          onImages={(files) => onImages(files, editor?.view.state.selection.main.head ?? 0)}
        />
      )}
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <MarkdownEditor onReady={setEditor} onImages={onImages} />
      {file !== undefined && (
        <ImageDialog
          key={`${file.name} ${others.length}`}
          file={file}
          onReady={({ markdown }) => insert(markdown)}
          onClose={() => next(arrived?.at ?? 0)}
        />
      )}
    </section>
  );
}
