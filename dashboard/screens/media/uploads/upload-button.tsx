import { useRef } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { Button } from '../../../ui/controls.ts';
import { Icon } from '../../../ui/icons.tsx';
import { screenTexts } from '../text.ts';
import { imageTypes } from './limits.ts';

/** Opens the browser's dialog to choose files. */
export function UploadButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ReactNode {
  const text = useText(screenTexts).upload;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button leftSection={<Icon name="plus" />} onClick={() => input.current?.click()}>
        {text.choose}
      </Button>
      <input
        ref={input}
        type="file"
        accept={imageTypes.join(',')}
        multiple
        hidden
        aria-hidden="true"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
