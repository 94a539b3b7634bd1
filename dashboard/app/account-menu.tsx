import type { ReactNode } from 'react';
import { useAccount } from '../session/account.ts';
import { roleTexts } from '../session/role-texts.ts';
import { useSite } from '../api/site.ts';
import { texts, useText } from '../text/texts.ts';
import { Avatar } from '../ui/avatar.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { Disclosure } from './disclosure.tsx';
import styles from './menus.module.css';

const AccountPanel = onDemand(async () => (await import('./account-panel.tsx')).AccountPanel);

const accountTexts = texts(
  { menu: (email: string) => `Account of ${email}` },
  { menu: (email: string) => `Konto von ${email}` },
);

/** @param compact without the name, for the bar at narrow widths */
export function AccountMenu({ compact = false }: { readonly compact?: boolean }): ReactNode {
  const { email } = useAccount();
  const { rights } = useSite();
  const text = useText(accountTexts);
  const role = useText(roleTexts);
  const face = (
    <>
      <Avatar name={email} />
      {!compact && (
        <span className={styles.names}>
          <span className={styles.email}>{email}</span>
          {rights.role !== null && <span>{role[rights.role]}</span>}
        </span>
      )}
    </>
  );
  return (
    <Disclosure
      className={compact ? styles.compact : styles.account}
      side={compact ? 'below-end' : 'above'}
      button={face}
      {...(compact && { label: text.menu(email) })}
    >
      {(close) => <AccountPanel close={close} />}
    </Disclosure>
  );
}
