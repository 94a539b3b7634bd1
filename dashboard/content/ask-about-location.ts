import { useSyncExternalStore } from 'react';
import { withoutLocation } from './photo-location.ts';

/** Who waits for the answer, whether places are removed from photographs. */
let asked: { readonly answer: Promise<boolean>; readonly settle: (removes: boolean) => void } | null = null;
/** The answer, until the page is loaded again: it is for all photographs of an afternoon, not for each. */
let answered: boolean | null = null;
const listeners = new Set<() => void>();

function set(value: typeof asked): void {
  asked = value;
  for (const listener of listeners) listener();
}

function ask(): Promise<boolean> {
  if (answered !== null) return Promise.resolve(answered);
  if (asked !== null) return asked.answer;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  set({
    answer: promise,
    settle: (removes) => {
      answered = removes;
      set(null);
      resolve(removes);
    },
  });
  return promise;
}

export const settleLocation = (removes: boolean): void => asked?.settle(removes);

export const useLocationAsked = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked !== null,
  );

/** The file to upload: without the place where it was taken, if it says one and the person wants that. */
export async function offeredWithoutLocation(file: File): Promise<File> {
  const bytes = withoutLocation(new Uint8Array(await file.arrayBuffer()));
  if (bytes === null || !(await ask())) return file;
  return new File([bytes], file.name, { type: file.type, lastModified: file.lastModified });
}
