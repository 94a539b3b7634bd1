import type { ApiKey } from '../../../sdk/src/index.ts';

export type KeyState = 'active' | 'ending' | 'expired' | 'revoked';

const SOON_MS = 7 * 24 * 3_600_000;

export function stateOf({ revoked_at: revoked, expires_at: expires }: ApiKey, now: number): KeyState {
  if (revoked !== null) return 'revoked';
  if (expires === null) return 'active';
  const left = new Date(expires).getTime() - now;
  return left <= 0 ? 'expired' : left < SOON_MS ? 'ending' : 'active';
}

export const hasEnded = (key: ApiKey, now: number): boolean =>
  ['expired', 'revoked'].includes(stateOf(key, now));

const DASHBOARD_KEY_MS = 12 * 3_600_000;

/** Whether it is the key of somebody's dashboard (docs/spec/rulings.md, 16), which the API tells by name and lifetime. */
export const isOfDashboard = ({ name, created_at: created, expires_at: expires }: ApiKey): boolean =>
  name.startsWith('Dashboard of ') &&
  expires !== null &&
  new Date(expires).getTime() - new Date(created).getTime() <= DASHBOARD_KEY_MS;
