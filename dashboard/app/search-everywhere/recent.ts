import { keyOf } from './result.ts';
import type { Found } from './result.ts';

const MOST = 6;

const placeOf = (siteId: string): string => `presswork.opened.${siteId}`;

/** The recent targets of the search, the last first. */
export function recentlyOpened(siteId: string): readonly Found[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(siteId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isFound).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberOpened(siteId: string, opened: Found): void {
  const others = recentlyOpened(siteId).filter((each) => keyOf(each) !== keyOf(opened));
  const kept = [{ ...opened, group: 'recent' }, ...others].slice(0, MOST);
  localStorage.setItem(placeOf(siteId), JSON.stringify(kept));
}

/** Another version may have kept something else. */
const isFound = (kept: unknown): kept is Found =>
  typeof kept === 'object' &&
  kept !== null &&
  'label' in kept &&
  typeof kept.label === 'string' &&
  'to' in kept &&
  typeof kept.to === 'string' &&
  'group' in kept &&
  kept.group === 'recent';
