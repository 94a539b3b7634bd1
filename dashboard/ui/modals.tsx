import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { DrawerProps, ModalProps } from '@mantine/core';
import { onDemand } from './on-demand.tsx';

const LoadedModal = onDemand<ModalProps>(async () => (await import('./mantine-modals.ts')).Modal);
const LoadedDrawer = onDemand<DrawerProps>(async () => (await import('./mantine-modals.ts')).Drawer);

/** A dialog, loaded when it is first used. It may be shown by `opened` or by being there at all. */
export function Modal(props: ModalProps): ReactNode {
  useReturnOfFocus(props.opened);
  return <LoadedModal {...props} returnFocus={false} />;
}

/** A dialog at the side of the screen. */
export function Drawer(props: DrawerProps): ReactNode {
  useReturnOfFocus(props.opened);
  return <LoadedDrawer {...props} returnFocus={false} />;
}

/** Puts the focus back on what opened the dialog, or on the heading of the screen if that is gone. */
function useReturnOfFocus(opened: boolean): void {
  const opener = useRef<HTMLElement | null>(null);
  const wasOpened = useRef(false);
  // While it is rendered, because the dialog itself takes the focus before any effect out here.
  if (opened && !wasOpened.current) opener.current = openerNow();
  wasOpened.current = opened;
  useEffect(() => {
    if (!opened) return undefined;
    return () => {
      // What the dialog leaves behind, such as another dialog, comes first.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const found =
          opener.current?.isConnected === true ? opener.current : document.querySelector('main h1');
        if (found instanceof HTMLElement) found.focus();
      });
    };
  }, [opened]);
}

/** The element with the focus; for an item of a menu, which is gone when the dialog closes, the button of the menu. */
function openerNow(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest('[role=menu]');
  const opener = menu ? document.querySelector(`[aria-controls="${menu.id}"]`) : active;
  return opener instanceof HTMLElement ? opener : null;
}
