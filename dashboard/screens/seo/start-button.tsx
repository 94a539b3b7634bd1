import { useState } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { screenTexts } from './text.ts';

const StartDialog = onDemand(async () => (await import('./start-dialog.tsx')).StartDialog);

export function StartButton(): ReactNode {
  const text = useText(screenTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text.start}</Button>
      {isOpen && <StartDialog onClose={() => setOpen(false)} />}
    </>
  );
}
