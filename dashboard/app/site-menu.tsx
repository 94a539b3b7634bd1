import type { ReactNode } from 'react';
import { useAccount } from '../session/account.ts';
import { useSite } from '../session/site.ts';
import { texts, useText } from '../text/texts.ts';
import { Menu, UnstyledButton } from '../ui/controls.ts';
import { Icon } from '../ui/icons.tsx';
import { MenuLink } from '../ui/links.ts';
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
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton className={styles.place} title={text.change}>
          {name}
          <Icon name="down" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.change}</Menu.Label>
        {others.map(({ id, name, organisation }) => (
          <MenuLink key={id} to="/$siteId" params={{ siteId: id }}>
            <span className={styles.names}>
              <strong dir="auto">{name}</strong>
              <span dir="auto">{organisation}</span>
            </span>
          </MenuLink>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
