import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { accountQuery, signInUrl } from '../session/account.ts';
import { setSessionEnded } from '../session/ended.ts';
import { texts, useText } from '../text/texts.ts';
import styles from './session-ended.module.css';

const endedTexts = texts(
  {
    title: 'You are signed out.',
    about: 'What you typed stays on this page. Sign in again in a new tab, then come back and go on.',
    signIn: 'Sign in again',
  },
  {
    title: 'Sie sind abgemeldet.',
    about:
      'Ihre Eingaben bleiben auf dieser Seite. Melden Sie sich in einem neuen Tab wieder an und machen Sie hier weiter.',
    signIn: 'Wieder anmelden',
  },
);

/** Stays above the page until the person has signed in again, which is noticed when they return to this tab. */
export function SessionEnded(): ReactNode {
  const text = useText(endedTexts);
  const client = useQueryClient();
  useEffect(() => {
    const look = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      try {
        await client.fetchQuery({ ...accountQuery, staleTime: 0 });
        setSessionEnded(false);
        await client.invalidateQueries();
      } catch {
        // Still signed out, or offline: the notice stays.
      }
    };
    const onReturn = (): void => void look();
    window.addEventListener('focus', onReturn);
    return () => window.removeEventListener('focus', onReturn);
  }, [client]);
  return (
    <div role="alert" className={styles.notice}>
      <p>
        <strong>{text.title}</strong> {text.about}
      </p>
      <a href={signInUrl()} target="_blank" rel="noreferrer">
        {text.signIn}
      </a>
    </div>
  );
}
