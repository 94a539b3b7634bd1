import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Group, Stack } from '@mantine/core';
import { useFailure } from '../api/failure.ts';
import { texts, useText } from '../text/texts.ts';
import { Modal } from './modals.tsx';

export interface ConfirmProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** A question: “Delete 3 articles?” */
  readonly title: string;
  /** The effect, and whether it can be undone. */
  readonly children: ReactNode;
  /** What the button does: “Delete 3 articles”. */
  readonly action: string;
  readonly danger?: boolean;
  /** The dialog closes when it has been done, and shows the error otherwise. */
  readonly onConfirm: () => Promise<unknown>;
}

const confirmTexts = texts({ cancel: 'Cancel' }, { cancel: 'Abbrechen' });

export function ConfirmModal(props: ConfirmProps): ReactNode {
  const { onClose, title, children, action, danger = false, onConfirm } = props;
  const text = useText(confirmTexts);
  const failure = useFailure();
  const about = useId();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = (): void => {
    setError(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      close();
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={close} title={title} centered aria-describedby={about}>
      <Stack id={about} gap="xs">
        {children}
      </Stack>
      {error !== null && <p role="alert">{failure(error)}</p>}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus onClick={close}>
          {text.cancel}
        </Button>
        <Button color={danger ? 'red.9' : undefined} loading={busy} onClick={() => void confirm()}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
