import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useSite } from '../api/site.ts';
import { useText } from '../text/texts.ts';
import { Icon } from '../ui/icons.tsx';
import { navigationTexts } from './navigation-items.ts';
import { UnreadNotifications } from './unread-notifications.tsx';
import styles from './bell.module.css';

/** The notifications, where the navigation is out of sight. */
export function Bell(): ReactNode {
  const { id: siteId, rights } = useSite();
  const { notifications } = useText(navigationTexts);
  if (!rights.can('meta:read')) return null;
  return (
    <Link to="/$siteId/notifications" params={{ siteId }} className={styles.bell}>
      <Icon name="bell" size={22} />
      <span className={styles.unseen}>{notifications}</span>
      <UnreadNotifications />
    </Link>
  );
}
