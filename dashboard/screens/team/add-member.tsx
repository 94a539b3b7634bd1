import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TeamMember } from '../../../sdk/src/index.ts';
import { fieldMessages } from '../../api/failure.ts';
import { useChange } from '../../api/change.ts';
import { useAccount } from '../../session/account.ts';
import { useText } from '../../text/texts.ts';
import { TextInput } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldError, Form, FormButtons } from '../../ui/form.tsx';
import { RoleChoice } from './roles.tsx';
import type { GivenRole } from './roles.tsx';
import { screenTexts } from './text.ts';

export interface AddMemberProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onAdded: (member: TeamMember) => void;
}

export function AddMember({ opened, onClose, onAdded }: AddMemberProps): ReactNode {
  const text = useText(screenTexts);
  return (
    <Dialog opened={opened} onClose={onClose} title={text.add.title}>
      <AddMemberForm onClose={onClose} onAdded={onAdded} />
    </Dialog>
  );
}

function AddMemberForm({ onClose, onAdded }: Omit<AddMemberProps, 'opened'>): ReactNode {
  const text = useText(screenTexts);
  const { mails } = useAccount();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<GivenRole>('editor');
  const add = useChange({
    send: (presswork, body: { email: string; role: GivenRole }, options) =>
      presswork.team.inviteMember(body, options),
    touches: ['team'],
    errors: 'here',
    done: (member) => text.add.done(member.email),
    onDone: onAdded,
  });
  return (
    <Form
      onSubmit={() => add.mutate({ email: email.trim(), role })}
      error={add.error}
      actions={
        <FormButtons isPending={add.isPending} onCancel={onClose}>
          {text.add.submit}
        </FormButtons>
      }
    >
      <p>{mails ? text.add.aboutMail : text.add.about}</p>
      <TextInput
        label={text.email}
        type="email"
        autoComplete="off"
        required
        data-autofocus
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        {...fieldError(add.error, 'email')}
      />
      <RoleChoice value={role} onChange={setRole} error={fieldMessages(add.error)['role']} />
    </Form>
  );
}
