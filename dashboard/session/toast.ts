import { useSyncExternalStore } from 'react';

interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'error';
  readonly message: string;
}

const SHOWN_MS = 6_000;
const MOST = 4;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Closes one. */
export const closeToast = (id: number): void => set(toasts.filter((each) => each.id !== id));

function add(kind: Toast['kind'], message: string): void {
  lastId += 1;
  const id = lastId;
  set([...toasts, { id, kind, message }].slice(-MOST));
  // An error stays until it is closed, because it says what to do.
  if (kind === 'done') setTimeout(() => closeToast(id), SHOWN_MS);
}

/** Says the result of an action in a corner of the screen, and to screen readers. */
export const toast = {
  done: (message: string): void => add('done', message),
  error: (message: string): void => add('error', message),
} as const;

/** Those that are shown now. */
export const useToasts = (): readonly Toast[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
