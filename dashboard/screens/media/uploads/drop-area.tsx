import type { ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { Dropzone } from '../../../ui/dropzone.ts';
import { screenTexts } from '../text.ts';
import styles from './drop-area.module.css';

/** Takes files that are dropped anywhere on the page. */
export function DropArea({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ReactNode {
  const text = useText(screenTexts).upload;
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
