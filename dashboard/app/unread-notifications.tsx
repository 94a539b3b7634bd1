import type { ReactNode } from 'react';
import type { Presswork } from '../../sdk/src/index.ts';
import { texts, useText } from '../text/texts.ts';
import { NavigationCount } from './navigation-count.tsx';

const badgeTexts = texts(
  { unread: (count: string) => `, ${count} unread` },
  { unread: (count: string) => `, ${count} ungelesen` },
);

const MOST = 99;

const unread = {
  key: ['notifications', 'unread'],
  load: (presswork: Presswork, options: { signal: AbortSignal }) =>
    presswork.notifications.list({ unread: 'true', limit: MOST }, options),
} as const;

/** How many notifications the person has not read. */
export const UnreadNotifications = (): ReactNode => (
  <NavigationCount of={unread} say={useText(badgeTexts).unread} />
);
