import type { ReactNode } from 'react';
import type { ConfirmProps } from './confirm-modal.tsx';
import { onDemand } from './on-demand.tsx';

const ConfirmModal = onDemand(async () => (await import('./confirm-modal.tsx')).ConfirmModal);

/** Asks before something that is hard to undo. The focus is on Cancel. */
export const ConfirmDialog = (props: ConfirmProps): ReactNode => props.opened && <ConfirmModal {...props} />;
