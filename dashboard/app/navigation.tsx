import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useSite } from '../api/site.ts';
import { texts, useText } from '../text/texts.ts';
import { navigation, navigationTexts } from './navigation-items.ts';
import styles from './navigation.module.css';
import { UnreadNotifications } from './unread-notifications.tsx';
import { WaitingApprovals } from './waiting-approvals.tsx';

const landmark = texts({ name: 'Screens' }, { name: 'Bereiche' });

/**
 * The screens that the person may open.
 *
 * @param onChosen called when one is chosen, also the one that is open
 */
export function Navigation({ onChosen }: { readonly onChosen?: () => void }): ReactNode {
  const { id, rights } = useSite();
  const text = useText(navigationTexts);
  const { name } = useText(landmark);
  return (
    <nav className={styles.navigation} aria-label={name}>
      {navigation.map(({ group, items }) => {
        const open = items.filter(({ may }) => may(rights));
        if (open.length === 0) return null;
        return (
          <div key={group}>
            {group !== null && <p className={styles.group}>{text[group]}</p>}
            <ul>
              {open.map(({ to, name }) => (
                <li key={to}>
                  <Link
                    to={to}
                    params={{ siteId: id }}
                    activeOptions={{ exact: name === 'home', includeSearch: false }}
                    className={styles.link}
                    onClick={onChosen}
                  >
                    {text[name]}
                    {name === 'notifications' && <UnreadNotifications />}
                    {name === 'approvals' && <WaitingApprovals />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
