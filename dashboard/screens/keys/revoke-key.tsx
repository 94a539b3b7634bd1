import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ApiKey } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { cancelSchedules, LeftSchedules, useLeftSchedules } from '../../content/left-schedules.tsx';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { screenTexts } from './text.ts';

export interface RevokeKeyProps {
  readonly subject: ApiKey;
  readonly onClose: () => void;
}

export function RevokeKey({ subject, onClose }: RevokeKeyProps): ReactNode {
  const text = useText(screenTexts).revocation;
  const left = useLeftSchedules('keys', subject.id);
  const [cancels, setCancels] = useState(false);
  const revoke = useChange({
    send: async (presswork, { id }: ApiKey) => {
      await presswork.keys.revoke(id);
      if (cancels && left.data !== undefined) await cancelSchedules(left.data);
    },
    touches: ['keys', 'articles'],
    errors: 'here',
    done: (_, { name }) => text.done(name),
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={text.title(subject.name)}
      action={text.action}
      danger
      onConfirm={() => revoke.mutateAsync(subject)}
    >
      {text.about(subject.key_prefix)}
      <LeftSchedules left={left} cancels={cancels} onChange={setCancels} />
    </ConfirmDialog>
  );
}
