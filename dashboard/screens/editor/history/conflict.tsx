import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { onDemand } from '../../../ui/on-demand.tsx';
import { useSaving } from '../article/use-article.ts';

const ConflictDialog = onDemand(async () => (await import('./conflict-dialog.tsx')).ConflictDialog);

/** Longer than the pauses between the words of somebody who writes. */
const QUIET_MS = 1_500;

/** Asks once the person pauses: a dialog in the middle of a word would take the rest of it. */
export function Conflict(): ReactNode {
  const mine = useSaving((state) => state.mine);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAsking(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [mine]);
  return isAsking && <ConflictDialog />;
}
