import type { Connection } from '../../../sdk/src/index.ts';

export type Config = Connection['config'];
type Member = keyof Config;

export const kinds = ['git', 'ghost', 'wordpress', 'http'] as const;
export type Kind = (typeof kinds)[number];

/** A later version of the API may have others, which this one shows and cannot edit. */
export const knownKind = (kind: string): Kind | null => kinds.find((each) => each === kind) ?? null;

/** The fields of each kind, its address first. */
export const membersOf: Readonly<Record<Kind, readonly Member[]>> = {
  git: ['remote_url', 'branch', 'path'],
  ghost: ['admin_url'],
  wordpress: ['site_url', 'user'],
  http: ['url'],
};

export const addressOf = ({ remote_url, admin_url, site_url, url }: Config): string =>
  remote_url ?? admin_url ?? site_url ?? url ?? '';

/** Only these have more than one line. */
export const isPrivateKey = (kind: Kind, config: Config): boolean =>
  kind === 'git' && /^(?:ssh:|[^/:]+@[^/:]+:)/i.test(config.remote_url ?? '');
