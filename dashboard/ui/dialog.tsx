import type { ReactNode } from 'react';
import { Modal } from './modals.tsx';

export interface DialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly size?: 'md' | 'lg' | 'xl';
  /** False for what must not be closed by accident, such as a secret that is shown once. */
  readonly closesOutside?: boolean;
  /** Text typed and answered in here is gone when the dialog is closed. */
  readonly children: ReactNode;
}

/** A dialog with a form or an answer in it. */
export function Dialog(props: DialogProps): ReactNode {
  const { opened, onClose, title, size = 'md', closesOutside = true, children } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      centered
      closeOnClickOutside={closesOutside}
    >
      {children}
    </Modal>
  );
}
