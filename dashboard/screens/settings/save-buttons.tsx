import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { screenTexts } from './text.ts';

export interface SaveButtonsProps {
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly onDiscard: () => void;
}

export function SaveButtons({ isDirty, isSaving, onDiscard }: SaveButtonsProps): ReactNode {
  const text = useText(screenTexts);
  return (
    <>
      <Button type="submit" loading={isSaving} disabled={!isDirty}>
        {text.save}
      </Button>
      {isDirty && (
        <Button variant="default" onClick={onDiscard}>
          {text.discard}
        </Button>
      )}
    </>
  );
}
