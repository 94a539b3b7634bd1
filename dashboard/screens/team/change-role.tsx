import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Result, TeamMember } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { fieldMessages } from '../../api/failure.ts';
import { useItem } from '../../api/item.ts';
import { useText } from '../../text/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { RoleChoice } from './roles.tsx';
import type { GivenRole } from './roles.tsx';
import { screenTexts } from './text.ts';

export interface ChangeRoleProps {
  /** Null while the dialog is closed. */
  readonly member: TeamMember | null;
  readonly onClose: () => void;
}

export function ChangeRole({ member, onClose }: ChangeRoleProps): ReactNode {
  const text = useText(screenTexts);
  return (
    <Dialog opened={member !== null} onClose={onClose} title={text.change.title}>
      {member !== null && <Current id={member.id} onClose={onClose} />}
    </Dialog>
  );
}

/** Reads the member first: the change is based on the person's view. */
function Current({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const member = useItem({
    key: ['team', id],
    load: (presswork, options) => presswork.team.getMember(id, options),
  });
  if (member.error !== null) return <ErrorNote error={member.error} retry={() => void member.refetch()} />;
  if (member.data === undefined) return <Loading />;
  return <ChangeRoleForm key={member.data.meta.etag} member={member.data} onClose={onClose} />;
}

interface ChangeRoleFormProps {
  readonly member: Result<TeamMember>;
  readonly onClose: () => void;
}

function ChangeRoleForm({ member, onClose }: ChangeRoleFormProps): ReactNode {
  const text = useText(screenTexts);
  const [role, setRole] = useState(member.role as GivenRole);
  const change = useChange({
    send: (presswork, wanted: GivenRole) =>
      presswork.team.updateMember(member.id, { role: wanted }, { ifMatch: member }),
    touches: ['team'],
    errors: 'here',
    done: () => text.change.done(member.email),
    onDone: onClose,
  });
  return (
    <Form
      onSubmit={() => change.mutate(role)}
      error={change.error}
      actions={
        <FormButtons isPending={change.isPending} disabled={role === member.role} onCancel={onClose}>
          {text.change.submit}
        </FormButtons>
      }
    >
      <p dir="auto">{text.change.about(member.email)}</p>
      <RoleChoice value={role} onChange={setRole} error={fieldMessages(change.error)['role']} />
    </Form>
  );
}
