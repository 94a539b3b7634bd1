import type { AccountSite } from '../session/account.ts';

const PLACE = 'presswork.site';

export const rememberSite = (siteId: string): void => localStorage.setItem(PLACE, siteId);

/** The Site to open without asking: the last one, or the only one. */
export function lastSite(sites: readonly AccountSite[]): string | null {
  const kept = localStorage.getItem(PLACE);
  if (sites.length === 1) return sites[0]?.id ?? null;
  return sites.find(({ id }) => id === kept)?.id ?? null;
}
