import type { ReactNode } from 'react';
import { onDemand } from './on-demand.tsx';

export interface ConfirmProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** A question: “Delete 3 articles?” */
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** What the button does: “Delete 3 articles”. */
  readonly action: string;
  readonly danger?: boolean;
  /** The dialog closes when it has been done, and shows the error otherwise. */
  readonly onConfirm: () => Promise<unknown>;
}

const ConfirmModal = onDemand(async () => (await import('./confirm-modal.tsx')).ConfirmModal);

/** Asks before something that is hard to undo. The focus is on Cancel. */
export const ConfirmDialog = (props: ConfirmProps): ReactNode => props.opened && <ConfirmModal {...props} />;
