import type { ReactNode } from 'react';
import { Drawer } from './modals.tsx';

export interface SidePanelProps {
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly size?: 'md' | 'xl';
  readonly children: ReactNode;
}

/** One thing in front of its list. A click beside it does not close it, because that would lose typed text. */
export const SidePanel = ({ onClose, title, size = 'md', children }: SidePanelProps): ReactNode => (
  <Drawer opened onClose={onClose} position="right" size={size} title={title} closeOnClickOutside={false}>
    {children}
  </Drawer>
);
