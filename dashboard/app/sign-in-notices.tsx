import { useState } from 'react';
import type { ReactNode } from 'react';
import { useAccount } from '../session/account.ts';
import type { Notice } from '../session/account.ts';
import { texts, useText } from '../text/texts.ts';
import { SiteTime } from '../ui/times.tsx';
import styles from './session-ended.module.css';

const noticeTexts = texts(
  {
    title: 'Somebody has changed how you sign in.',
    about: 'If you did not ask for it, tell the owner of your organisation.',
    actions: {
      'member.reset_link': 'made a link that sets your password',
      'member.password': 'set your password',
      'member.two_factor_off': 'turned off your second factor',
    },
    seen: 'I know about it',
  },
  {
    title: 'Jemand hat Ihre Anmeldung geändert.',
    about: 'Wenn Sie nicht darum gebeten haben, sagen Sie es der Person, der die Organisation gehört.',
    actions: {
      'member.reset_link': 'hat einen Link erstellt, der Ihr Passwort setzt',
      'member.password': 'hat Ihr Passwort gesetzt',
      'member.two_factor_off': 'hat Ihren zweiten Faktor ausgeschaltet',
    },
    seen: 'Ich weiß davon',
  },
);

const SEEN = 'presswork-notices-seen';

/** In this browser only: whoever else may be signed in as the person cannot put it away for them. */
const seenUntil = (): string => localStorage.getItem(SEEN) ?? '';

/** Tells a person of others' acts on their sign-in, until they say in this browser that they know. */
export function SignInNotices(): ReactNode {
  const text = useText(noticeTexts);
  const { notices } = useAccount();
  const [seen, setSeen] = useState(seenUntil);
  const unseen = notices.filter(({ at }) => at > seen);
  const [newest] = unseen;
  if (newest === undefined) return null;
  const put = (): void => {
    localStorage.setItem(SEEN, newest.at);
    setSeen(newest.at);
  };
  return (
    <div role="alert" className={styles.notice}>
      <div>
        <strong>{text.title}</strong> {text.about}
        <ul>
          {unseen.map((notice) => (
            <Line key={notice.id} notice={notice} />
          ))}
        </ul>
      </div>
      <button type="button" onClick={put}>
        {text.seen}
      </button>
    </div>
  );
}

function Line({ notice: { at, action, by } }: { readonly notice: Notice }): ReactNode {
  const text = useText(noticeTexts);
  return (
    <li>
      <SiteTime time={at} /> <span dir="auto">{by}</span> {text.actions[action]}
    </li>
  );
}
