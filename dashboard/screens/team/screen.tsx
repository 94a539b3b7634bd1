import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TeamMember } from '../../../sdk/src/index.ts';
import { useList } from '../../api/list.ts';
import { membershipOf, useAccount } from '../../session/account.ts';
import type { Role } from '../../session/account.ts';
import { roles, roleTexts } from '../../session/role-texts.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button, Menu } from '../../ui/controls.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { Sign } from '../../ui/sign.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { AddMember } from './add-member.tsx';
import { ChangeRole } from './change-role.tsx';
import { PasswordLink } from './password-link.tsx';
import { RolesExplained } from './roles.tsx';
import { screenTexts } from './text.ts';

const RemoveMember = onDemand(async () => (await import('./remove-member.tsx')).RemoveMember);

type Open = { readonly dialog: 'role' | 'link' | 'remove'; readonly member: TeamMember } | null;

/** Whether one role may set the password of another: not above its own, and an administrator's only as the owner. */
const mayReset = (role: string, own: Role): boolean =>
  role === 'admin' ? own === 'owner' : roles.indexOf(role as Role) >= roles.indexOf(own);

export function Screen(): ReactNode {
  const text = useText(screenTexts);
  const names = useText(roleTexts);
  const { id: siteId, rights } = useSite();
  const membership = membershipOf(useAccount(), siteId);
  const [adding, setAdding] = useState(false);
  const [open, setOpen] = useState<Open>(null);
  const list = useList({
    key: ['team'],
    load: (presswork, page, options) => presswork.team.listMembers(page, options),
  });
  const { mails } = useAccount();
  const opened = (dialog: 'role' | 'link' | 'remove'): TeamMember | null =>
    open?.dialog === dialog ? open.member : null;
  const removing = opened('remove');
  const close = (): void => setOpen(null);
  const isYou = ({ id }: TeamMember): boolean => id === membership?.member_id;
  const actions = (member: TeamMember): ReactNode => {
    const mayLink = !isYou(member) && rights.role !== null && mayReset(member.role, rights.role);
    const mayChange = !isYou(member) && member.role !== 'owner';
    if (!mayLink && !mayChange) return null;
    return (
      <RowMenu label={text.actions(member.email)}>
        {mayChange && (
          <Menu.Item onClick={() => setOpen({ dialog: 'role', member })}>{text.changeRole}</Menu.Item>
        )}
        {mayLink && (
          <Menu.Item onClick={() => setOpen({ dialog: 'link', member })}>{text.resetLink}</Menu.Item>
        )}
        {mayChange && (
          <Menu.Item color="red" onClick={() => setOpen({ dialog: 'remove', member })}>
            {text.remove}
          </Menu.Item>
        )}
      </RowMenu>
    );
  };
  return (
    <Page
      title={text.title}
      about={membership && <span dir="auto">{text.about(membership.organisation.name)}</span>}
      actions={<Button onClick={() => setAdding(true)}>{text.add.open}</Button>}
    >
      <DataTable
        label={text.members}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
        columns={[
          {
            key: 'email',
            title: text.email,
            main: true,
            cell: (member) => (
              <span dir="auto">
                {member.email}
                {isYou(member) && ` (${text.you})`}
              </span>
            ),
          },
          { key: 'role', title: text.role, cell: ({ role }) => names[role as Role] ?? role },
          {
            key: 'signIn',
            title: text.signIn,
            cell: (member) =>
              member.can_sign_in ? (
                <Sign tone="good">{text.canSignIn}</Sign>
              ) : (
                <Sign tone="quiet">{text.noPassword}</Sign>
              ),
          },
          {
            key: 'since',
            title: text.since,
            align: 'end',
            cell: (member) => <RelativeTime time={member.created_at} />,
          },
        ]}
        actions={actions}
        empty={<EmptyState title={text.nobody} />}
      />
      <RolesExplained />
      <AddMember
        opened={adding}
        onClose={() => setAdding(false)}
        onAdded={(member) => {
          setAdding(false);
          // Who was mailed a link needs none by hand, which would end the one in the mail.
          if (!mails) setOpen({ dialog: 'link', member });
        }}
      />
      <ChangeRole member={opened('role')} onClose={close} />
      <PasswordLink member={opened('link')} onClose={close} />
      {removing !== null && <RemoveMember member={removing} onClose={close} />}
    </Page>
  );
}
