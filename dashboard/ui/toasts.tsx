import type { ReactNode } from 'react';
import { CloseButton } from '@mantine/core';
import { closeToast, useToasts } from '../session/toast.ts';
import { texts, useText } from '../text/texts.ts';
import styles from './toasts.module.css';

const toastTexts = texts({ close: 'Close' }, { close: 'Schließen' });

export function Toasts(): ReactNode {
  const shown = useToasts();
  const text = useText(toastTexts);
  return (
    <div className={styles.region} role="status" aria-live="polite" aria-atomic="false">
      {shown.map(({ id, kind, message }) => (
        <div key={id} className={styles.toast} data-kind={kind}>
          <span>{message}</span>
          <CloseButton size="sm" aria-label={text.close} onClick={() => closeToast(id)} />
        </div>
      ))}
    </div>
  );
}
