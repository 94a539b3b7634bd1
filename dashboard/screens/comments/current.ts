import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

export interface Current {
  /** The comment that the keys act on: the first one at the start. */
  readonly id: string | undefined;
  readonly body: RefObject<HTMLDivElement | null>;
  /** The focus is in it already. */
  readonly follow: (id: string) => void;
  readonly moveTo: (id: string | undefined) => void;
  readonly moveBy: (step: 1 | -1) => void;
  /** Which one comes when this one leaves the list: the next, or else the one before. */
  readonly after: (id: string) => string | undefined;
}

/** The current comment of the queue, and the focus that moves with it. */
export function useCurrent(ids: readonly string[]): Current {
  const body = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const wantsFocus = useRef(false);
  const id = chosen !== undefined && ids.includes(chosen) ? chosen : ids[0];
  useEffect(() => {
    // One that was taken back is in the list only when it has been read again.
    if (!wantsFocus.current || (chosen !== undefined && id !== chosen)) return;
    wantsFocus.current = false;
    const card = body.current?.querySelector<HTMLElement>('[data-current]') ?? body.current;
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: 'nearest' });
  });
  const moveTo = (next: string | undefined): void => {
    wantsFocus.current = true;
    setChosen(next);
  };
  return {
    id,
    body,
    follow: setChosen,
    moveTo,
    moveBy: (step) => {
      const index = id === undefined ? -1 : ids.indexOf(id);
      const inside = body.current?.contains(document.activeElement) === true;
      moveTo(ids[Math.max(0, Math.min(ids.length - 1, inside ? index + step : index))]);
    },
    after: (leaving) => {
      const index = ids.indexOf(leaving);
      return ids[index + 1] ?? ids[index - 1];
    },
  };
}
