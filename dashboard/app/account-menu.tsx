import type { ReactNode } from 'react';
import { useAccount } from '../session/account.ts';
import { roleTexts } from '../session/role-texts.ts';
import { request } from '../session/request.ts';
import { useSite } from '../session/site.ts';
import { chooseLanguage, useLanguage } from '../text/language.ts';
import { texts, useText } from '../text/texts.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Menu, UnstyledButton, useMantineColorScheme } from '../ui/controls.ts';
import { Icon } from '../ui/icons.tsx';
import { MenuLink } from '../ui/links.ts';
import { toast } from '../ui/toasts.tsx';
import { useFailure } from '../api/failure.ts';
import styles from './menus.module.css';

const accountTexts = texts(
  {
    menu: (email: string) => `Account of ${email}`,
    account: 'Your account',
    language: 'Language',
    colours: 'Appearance',
    light: 'Light',
    dark: 'Dark',
    auto: 'Like the system',
    signOut: 'Sign out',
  },
  {
    menu: (email: string) => `Konto von ${email}`,
    account: 'Ihr Konto',
    language: 'Sprache',
    colours: 'Darstellung',
    light: 'Hell',
    dark: 'Dunkel',
    auto: 'Wie das System',
    signOut: 'Abmelden',
  },
);

const languageNames = { en: 'English', de: 'Deutsch' } as const;

/** @param compact without the name, for the bar at narrow widths */
export function AccountMenu({ compact = false }: { readonly compact?: boolean }): ReactNode {
  const { email } = useAccount();
  const { id, rights } = useSite();
  const text = useText(accountTexts);
  const role = useText(roleTexts);
  const language = useLanguage();
  const failure = useFailure();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = (): void => {
    request('POST', '/sign-out').then(
      () => location.assign('/sign-in'),
      (error: unknown) => toast.error(failure(error)),
    );
  };
  return (
    <Menu position={compact ? 'bottom-end' : 'top-start'} width={240}>
      <Menu.Target>
        <UnstyledButton
          className={compact ? styles.compact : styles.account}
          {...(compact && { 'aria-label': text.menu(email) })}
        >
          <Avatar name={email} />
          {!compact && (
            <span className={styles.names}>
              <span className={styles.email}>{email}</span>
              {rights.role !== null && <span>{role[rights.role]}</span>}
            </span>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuLink to="/$siteId/account" params={{ siteId: id }}>
          {text.account}
        </MenuLink>
        <Menu.Divider />
        <Menu.Label>{text.language}</Menu.Label>
        {(['en', 'de'] as const).map((each) => (
          <Choice key={each} chosen={each === language} lang={each} onClick={() => chooseLanguage(each)}>
            {languageNames[each]}
          </Choice>
        ))}
        <Menu.Divider />
        <Menu.Label>{text.colours}</Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((each) => (
          <Choice key={each} chosen={each === colorScheme} onClick={() => setColorScheme(each)}>
            {text[each]}
          </Choice>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={signOut}>{text.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ChoiceProps {
  readonly chosen: boolean;
  readonly lang?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

const Choice = ({ chosen, lang, onClick, children }: ChoiceProps): ReactNode => (
  <Menu.Item
    role="menuitemradio"
    aria-checked={chosen}
    lang={lang}
    closeMenuOnClick={false}
    rightSection={chosen ? <Icon name="check" size={16} /> : null}
    onClick={onClick}
  >
    {children}
  </Menu.Item>
);
