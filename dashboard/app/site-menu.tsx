import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useAccount } from '../session/account.ts';
import { useSite } from '../api/site.ts';
import { texts, useText } from '../text/texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Disclosure } from './disclosure.tsx';
import styles from './menus.module.css';

const siteTexts = texts({ change: 'Change Site' }, { change: 'Site wechseln' });

/** The name of the Site, and the way to the person's others. */
export function SiteMenu(): ReactNode {
  const site = useSite();
  const { memberships } = useAccount();
  const text = useText(siteTexts);
  const others = memberships.flatMap(({ sites, organisation }) =>
    sites.filter(({ id }) => id !== site.id).map((each) => ({ ...each, organisation: organisation.name })),
  );
  const name = (
    <span className={styles.names}>
      <strong dir="auto">{site.name}</strong>
      <span>{site.domain}</span>
    </span>
  );
  if (others.length === 0) return <div className={styles.place}>{name}</div>;
  const face = (
    <>
      {name}
      <Icon name="down" />
    </>
  );
  return (
    <Disclosure className={styles.place} side="below" button={face}>
      {(close) => (
        <nav aria-label={text.change}>
          <p className={styles.heading}>{text.change}</p>
          {others.map(({ id, name, organisation }) => (
            <Link key={id} className={styles.entry} to="/$siteId" params={{ siteId: id }} onClick={close}>
              <span className={styles.names}>
                <strong dir="auto">{name}</strong>
                <span dir="auto">{organisation}</span>
              </span>
            </Link>
          ))}
        </nav>
      )}
    </Disclosure>
  );
}
