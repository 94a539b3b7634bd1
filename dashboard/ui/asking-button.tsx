import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ConfirmProps } from './confirm-modal.tsx';
import { ConfirmDialog } from './confirm.tsx';
import { Button } from './controls.ts';

/** A button that asks before it does what it says. */
export function AskingButton(props: Omit<ConfirmProps, 'opened' | 'onClose'>): ReactNode {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {props.action}
      </Button>
      <ConfirmDialog {...props} opened={asking} onClose={() => setAsking(false)} />
    </>
  );
}
