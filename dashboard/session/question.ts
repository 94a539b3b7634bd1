import { useSyncExternalStore } from 'react';

/** A question to the person, which whoever needs the answer asks, and the shell shows. */
export interface Question {
  /** Whoever asks while it is shown gets the same answer. */
  readonly ask: () => Promise<boolean>;
  readonly settle: (answer: boolean) => void;
  readonly useAsked: () => boolean;
}

export function createQuestion(): Question {
  let asked: PromiseWithResolvers<boolean> | null = null;
  const listeners = new Set<() => void>();
  const tell = (): void => listeners.forEach((listener) => listener());
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    ask() {
      asked ??= Promise.withResolvers<boolean>();
      tell();
      return asked.promise;
    },
    settle(answer) {
      asked?.resolve(answer);
      asked = null;
      tell();
    },
    useAsked: () => useSyncExternalStore(subscribe, () => asked !== null),
  };
}

/** Whether the place is removed from photographs. */
export const locationQuestion = createQuestion();
export const proofQuestion = createQuestion();
