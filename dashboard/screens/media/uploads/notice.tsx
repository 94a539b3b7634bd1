import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useFormat } from '../../../text/format.ts';
import { useText } from '../../../text/texts.ts';
import { screenTexts } from '../text.ts';
import styles from './panel.module.css';

export interface NoticeProps {
  readonly pausedUntil: number | null;
  readonly isActive: boolean;
}

/** Why uploads stand still, if they do. */
export function Notice({ pausedUntil, isActive }: NoticeProps): ReactNode {
  const text = useText(screenTexts).upload;
  const format = useFormat();
  const isOnline = useOnline();
  const seconds = useSecondsUntil(pausedUntil);
  if (!isActive) return null;
  if (!isOnline) return <p className={styles.notice}>{text.offline}</p>;
  return seconds > 0 ? <p className={styles.notice}>{text.paused(format.number(seconds))}</p> : null;
}

function useSecondsUntil(time: number | null): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (time === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [time]);
  return time === null ? 0 : Math.max(1, Math.ceil((time - now) / 1_000));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);
