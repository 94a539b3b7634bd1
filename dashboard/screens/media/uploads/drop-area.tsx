import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { Dropzone } from '../../../ui/dropzone.ts';
import { screenTexts } from '../text.ts';
import styles from './drop-area.module.css';

/** Takes files that are dropped anywhere on the page, and images that are pasted. */
export function DropArea({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ReactNode {
  const text = useText(screenTexts).upload;
  useEffect(() => {
    const onPaste = ({ clipboardData }: ClipboardEvent): void => {
      const files = [...(clipboardData?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [onFiles]);
  // Files are chosen by the button: this must not take the focus while it cannot be seen.
  return (
    <Dropzone.FullScreen
      active
      withinPortal={false}
      activateOnClick={false}
      activateOnKeyboard={false}
      inputProps={{ 'aria-hidden': true }}
      onDrop={onFiles}
      aria-label={text.drop}
    >
      <div className={styles.area}>
        <p>{text.drop}</p>
        <p className={styles.about}>{text.dropAbout}</p>
      </div>
    </Dropzone.FullScreen>
  );
}
