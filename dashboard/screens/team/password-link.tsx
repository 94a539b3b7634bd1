import type { ReactNode } from 'react';
import type { TeamMember } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { request } from '../../session/request.ts';
import { useSiteId } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { screenTexts } from './text.ts';

interface ResetLink {
  /** Whether the person was mailed the same link. */
  readonly mailed: boolean;
  readonly url: string;
  readonly expires_at: string;
}

export interface PasswordLinkProps {
  /** Null while the dialog is closed. */
  readonly member: TeamMember | null;
  readonly onClose: () => void;
}

/** Makes the link by which a member sets a password, and shows it once. */
export function PasswordLink({ member, onClose }: PasswordLinkProps): ReactNode {
  const text = useText(screenTexts);
  return (
    <Dialog
      opened={member !== null}
      onClose={onClose}
      title={text.link.title}
      size="lg"
      closesOutside={false}
    >
      {member !== null && <MakeLink member={member} onClose={onClose} />}
    </Dialog>
  );
}

function MakeLink({
  member,
  onClose,
}: {
  readonly member: TeamMember;
  readonly onClose: () => void;
}): ReactNode {
  const text = useText(screenTexts);
  const format = useFormat();
  const siteId = useSiteId();
  const make = useChange<void, ResetLink>({
    send: () => request('POST', `/${siteId}/members/${member.id}/reset-link`),
    touches: [],
    errors: 'here',
  });
  const link = make.data;
  return (
    <Form
      onSubmit={() => (link === undefined ? make.mutate() : onClose())}
      error={make.error}
      actions={
        link === undefined ? (
          <FormButtons isPending={make.isPending} data-autofocus onCancel={onClose}>
            {text.link.make}
          </FormButtons>
        ) : (
          <Button type="submit">{text.link.close}</Button>
        )
      }
    >
      <p dir="auto">{text.link.about(member.email)}</p>
      {link !== undefined && (
        <div role="status">
          <CopyField
            label={text.link.label}
            value={link.url}
            about={text.link.once(format.dateTime(link.expires_at))}
          />
          {link.mailed && <p>{text.link.mailed(member.email)}</p>}
        </div>
      )}
    </Form>
  );
}
