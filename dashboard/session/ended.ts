import { useSyncExternalStore } from 'react';

/** Whether the session has ended while the page was open: typed text stays, and the person signs in again. */
let ended = false;
const listeners = new Set<() => void>();

export function setSessionEnded(value: boolean): void {
  if (ended === value) return;
  ended = value;
  for (const listener of listeners) listener();
}

export const useSessionEnded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ended,
  );
