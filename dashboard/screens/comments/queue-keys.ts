import { useEffect, useRef } from 'react';
import { isForSomethingElse } from '../../ui/row-keys.ts';

/** Calls what belongs to a letter, unless it is typed into a field or belongs to a dialog. */
export function useQueueKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (action === undefined || event.repeat || isForSomethingElse(event)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
