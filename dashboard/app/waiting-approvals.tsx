import type { ReactNode } from 'react';
import type { Presswork } from '../../sdk/src/index.ts';
import { loadWaiting } from '../screens/approvals/waiting.ts';
import { texts, useText } from '../text/texts.ts';
import { NavigationCount } from './navigation-count.tsx';

const badgeTexts = texts(
  { waiting: (count: string) => `, ${count} waiting` },
  { waiting: (count: string) => `, ${count} wartend` },
);

const waiting = {
  key: ['approvals', 'waiting'],
  load: (presswork: Presswork, options: { signal: AbortSignal }) =>
    loadWaiting(presswork, undefined, options),
} as const;

/** How many requests of agents wait for a person. */
export const WaitingApprovals = (): ReactNode => (
  <NavigationCount of={waiting} say={useText(badgeTexts).waiting} />
);
