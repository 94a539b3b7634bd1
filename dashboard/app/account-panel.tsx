import { useId } from 'react';
import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useFailure } from '../api/failure.ts';
import { request } from '../session/request.ts';
import { useSite } from '../api/site.ts';
import { chooseLanguage, languages, useLanguage } from '../text/language.ts';
import { texts, useText } from '../text/texts.ts';
import { useMantineColorScheme } from '../ui/controls.ts';
import { toast } from '../session/toast.ts';
import styles from './menus.module.css';

const panelTexts = texts(
  {
    account: 'Your account',
    language: 'Language',
    colours: 'Appearance',
    light: 'Light',
    dark: 'Dark',
    auto: 'Like the system',
    signOut: 'Sign out',
  },
  {
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

/** The dialogs of the account menu. */
export function AccountPanel({ close }: { readonly close: () => void }): ReactNode {
  const { id } = useSite();
  const text = useText(panelTexts);
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
