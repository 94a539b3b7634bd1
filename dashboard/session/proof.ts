import { useSyncExternalStore } from 'react';
import { PressworkError } from '../../sdk/src/index.ts';

/** Requests that were refused because the person has to prove again who they are. */
const refused = new Set<string | null>();

/** Remembers an answer that asks for a proof: the error that the client makes of it does not say so. */
export function noteRefusal({ headers }: Response): void {
  if (headers.get('presswork-proof') === 'required') refused.add(headers.get('request-id'));
}

/** Sends a request, and again once the person has proved who they are, if it takes that. */
export async function proving<Output>(send: () => PromiseLike<Output>): Promise<Output> {
  try {
    return await send();
  } catch (error) {
    const takesProof = error instanceof PressworkError && refused.delete(error.requestId ?? null);
    if (takesProof && (await askForProof())) return await send();
    throw error;
  }
}

/** The password is asked for again, and who waits for the answer. */
let asked: { readonly answer: Promise<boolean>; readonly settle: (proved: boolean) => void } | null = null;
const listeners = new Set<() => void>();

function set(value: typeof asked): void {
  asked = value;
  for (const listener of listeners) listener();
}

function askForProof(): Promise<boolean> {
  if (asked !== null) return asked.answer;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  set({
    answer: promise,
    settle: (proved) => {
      set(null);
      resolve(proved);
    },
  });
  return promise;
}

export const settleProof = (proved: boolean): void => asked?.settle(proved);

export const useProofAsked = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked !== null,
  );
