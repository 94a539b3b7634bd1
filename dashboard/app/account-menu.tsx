import type { ReactNode } from 'react';
import { useAccount } from '../session/account.ts';
import { roleTexts } from '../session/role-texts.ts';
import { request } from '../session/request.ts';
import { useSite } from '../session/site.ts';
import { chooseLanguage, languages, useLanguage } from '../text/language.ts';
import { texts, useText } from '../text/texts.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Menu, UnstyledButton, useMantineColorScheme } from '../ui/controls.ts';
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
const colorSchemes = ['light', 'dark', 'auto'] as const;

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
        <Menu.RadioGroup value={language} onChange={(value) => chooseLanguage(value === 'de' ? 'de' : 'en')}>
          {languages.map((each) => (
            <Menu.RadioItem key={each} value={each} lang={each}>
              {languageNames[each]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{text.colours}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(colorSchemes.find((each) => each === value) ?? 'auto')}
        >
          {colorSchemes.map((each) => (
            <Menu.RadioItem key={each} value={each}>
              {text[each]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={signOut}>{text.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
