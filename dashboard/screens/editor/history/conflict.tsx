import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { onDemand } from '../../../ui/on-demand.tsx';
import { useSaving } from '../article/use-article.ts';

const ConflictDialog = onDemand(async () => (await import('./conflict-dialog.tsx')).ConflictDialog);

/** Longer than the pauses between the words of somebody who writes. */
const QUIET_MS = 1_500;

/**
 * Asks once the person pauses: a dialog in the middle of a word would take the rest of it. Who writes on at that very
 * moment gets the focus back before the key arrives, and is asked at the next pause.
 */
export function Conflict(): ReactNode {
  const mine = useSaving((state) => state.mine);
  const [isAsking, setAsking] = useState(false);
  const [interruptions, setInterruptions] = useState(0);
  const place = useRef<Element | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      place.current = document.activeElement;
      setAsking(true);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [mine, interruptions]);
  const writeOn = (): void => {
    if (place.current instanceof HTMLElement) place.current.focus();
    setAsking(false);
    setInterruptions((before) => before + 1);
  };
  return isAsking && <ConflictDialog onWriting={writeOn} />;
}
