import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useAccount } from '../session/account.ts';
import { texts, useText } from '../text/texts.ts';
import { EmptyState } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';
import styles from './sites.module.css';

const sitesTexts = texts(
  {
    title: 'Choose a Site',
    none: 'You have no Site yet',
    noneAbout: 'Ask an administrator of your organisation to give you one.',
  },
  {
    title: 'Site auswählen',
    none: 'Sie haben noch keine Site',
    noneAbout: 'Wenden Sie sich an eine Person, die Ihre Organisation verwaltet.',
  },
);

/** For a person with several Sites, when it is not known which one they want. */
export function Sites(): ReactNode {
  const { memberships } = useAccount();
  const text = useText(sitesTexts);
  const withSites = memberships.filter(({ sites }) => sites.length > 0);
  return (
    <main className={styles.main}>
      <Page title={text.title} width="narrow">
        {withSites.length === 0 && <EmptyState title={text.none}>{text.noneAbout}</EmptyState>}
        {withSites.map(({ organisation, sites }) => (
          <section key={organisation.id} className={styles.organisation}>
            <h2 dir="auto">{organisation.name}</h2>
            <ul>
              {sites.map(({ id, name, domain }) => (
                <li key={id}>
                  <Link to="/$siteId" params={{ siteId: id }}>
                    <strong dir="auto">{name}</strong>
                    <span>{domain}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </Page>
    </main>
  );
}
