import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TeamMember } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { cancelSchedules, LeftSchedules, useLeftSchedules } from '../../content/left-schedules.tsx';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { screenTexts } from './text.ts';

export interface RemoveMemberProps {
  readonly member: TeamMember;
  readonly onClose: () => void;
}

export function RemoveMember({ member, onClose }: RemoveMemberProps): ReactNode {
  const text = useText(screenTexts).removal;
  const left = useLeftSchedules('members', member.id);
  const [cancels, setCancels] = useState(false);
  const remove = useChange({
    send: async (presswork, { id }: TeamMember) => {
      await presswork.team.removeMember(id);
      if (cancels && left.data !== undefined) await cancelSchedules(left.data);
    },
    touches: ['team', 'keys', 'articles'],
    errors: 'here',
    done: (_, { email }) => text.done(email),
  });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={text.title(member.email)}
      action={text.action}
      danger
      onConfirm={() => remove.mutateAsync(member)}
    >
      {text.about}
      <LeftSchedules left={left} cancels={cancels} onChange={setCancels} />
    </ConfirmDialog>
  );
}
