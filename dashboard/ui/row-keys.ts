import { useEffect, useRef, useState } from 'react';
import type { FocusEvent, RefObject } from 'react';

export interface RowKeysOptions {
  readonly count: number;
  readonly body: RefObject<HTMLElement | null>;
  readonly onOpen: (index: number) => void;
  readonly onSelect: (index: number) => void;
}

const TYPING =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]:not([contenteditable=false])';

/** Whether a letter is meant as text, or for what lies above the page. */
export const isForSomethingElse = ({
  target,
  ctrlKey,
  metaKey,
  altKey,
  defaultPrevented,
}: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  defaultPrevented ||
  (target instanceof Element && target.closest(TYPING) !== null) ||
  document.querySelector('[role=dialog], [role=menu]') !== null;

/** Moves through the rows of a list by j and k, selects by x, opens by o or Enter, and goes to the search by /. */
export function useRowKeys(options: RowKeysOptions) {
  const [current, setCurrent] = useState(0);
  const latest = useRef({ ...options, current });
  useEffect(() => {
    latest.current = { ...options, current };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isForSomethingElse(event)) return;
      const { count, body, onOpen, onSelect } = latest.current;
      const focused = document.activeElement?.closest<HTMLElement>('tr[data-index]') ?? null;
      const inBody = focused !== null && body.current?.contains(focused) === true;
      // Where the focus is, even if it has just come there.
      const current = inBody ? Number(focused.dataset['index']) : latest.current.current;
      const move = (to: number): void => {
        const index = Math.max(0, Math.min(count - 1, to));
        const row = body.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`);
        row?.focus({ preventScroll: true });
        row?.scrollIntoView({ block: 'nearest' });
      };
      const actions: Record<string, () => void> = {
        j: () => move(inBody ? current + 1 : current),
        k: () => move(inBody ? current - 1 : current),
        '/': () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus(),
        ...(inBody && { x: () => onSelect(current), o: () => onOpen(current) }),
        // A link or button in the row keeps its own Enter.
        ...(focused === document.activeElement && inBody && { Enter: () => onOpen(current) }),
      };
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return {
    current: Math.min(current, Math.max(0, options.count - 1)),
    onFocus: ({ target }: FocusEvent<HTMLElement>): void => {
      const index = target.closest<HTMLElement>('tr[data-index]')?.dataset['index'];
      if (index !== undefined) setCurrent(Number(index));
    },
  };
}
