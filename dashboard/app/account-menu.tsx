import { useId } from 'react';
import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useAccount } from '../session/account.ts';
import { roleTexts } from '../session/role-texts.ts';
import { request } from '../session/request.ts';
import { useSite } from '../session/site.ts';
import { chooseLanguage, languages, useLanguage } from '../text/language.ts';
import { texts, useText } from '../text/texts.ts';
import { Avatar } from '../ui/avatar.tsx';
import { useMantineColorScheme } from '../ui/controls.ts';
import { toast } from '../ui/toasts.tsx';
import { useFailure } from '../api/failure.ts';
import { Disclosure } from './disclosure.tsx';
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
      {(close) => (
        <>
          <Link className={styles.entry} to="/$siteId/account" params={{ siteId: id }} onClick={close}>
            {text.account}
          </Link>
          <Choice
            legend={text.language}
            options={languages}
            chosen={language}
            textOf={(each) => languageNames[each]}
            isLanguage
            onChoose={chooseLanguage}
          />
          <Choice
            legend={text.colours}
            options={colorSchemes}
            chosen={colorScheme}
            textOf={(each) => text[each]}
            onChoose={setColorScheme}
          />
          <button type="button" className={styles.entry} onClick={signOut}>
            {text.signOut}
          </button>
        </>
      )}
    </Disclosure>
  );
}

interface ChoiceProps<Value extends string> {
  readonly legend: string;
  readonly options: readonly Value[];
  readonly chosen: Value;
  readonly textOf: (value: Value) => string;
  /** Each is written in the language that it names. */
  readonly isLanguage?: boolean;
  readonly onChoose: (value: Value) => void;
}

function Choice<Value extends string>(props: ChoiceProps<Value>): ReactNode {
  const { legend, options, chosen, textOf, isLanguage = false, onChoose } = props;
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{legend}</legend>
      {options.map((each) => (
        <label key={each} className={styles.entry} lang={isLanguage ? each : undefined}>
          <input type="radio" name={name} checked={each === chosen} onChange={() => onChoose(each)} />
          {textOf(each)}
        </label>
      ))}
    </fieldset>
  );
}
