/** The kinds of systems that articles can be pushed to (docs/spec/rulings.md, 20, Connections). */
export const connectionKinds = ['git', 'ghost', 'wordpress', 'http'] as const;

export type ConnectionKind = (typeof connectionKinds)[number];

/** The settings of a connection besides its secret. */
export type ConnectionConfig = Readonly<Record<string, string>>;

/** The members of each kind's config, the address first, with the values of those that may be left out. */
const members = {
  git: { remote_url: null, branch: 'main', path: '' },
  ghost: { admin_url: null },
  wordpress: { site_url: null, user: null },
  http: { url: null },
} as const satisfies Readonly<Record<ConnectionKind, Readonly<Record<string, string | null>>>>;

export const configMembers = (kind: ConnectionKind): readonly string[] => Object.keys(members[kind]);

/** The values of members that may be left out. */
export const configDefaults = (kind: ConnectionKind): ConnectionConfig =>
  Object.fromEntries(
    Object.entries<string | null>(members[kind]).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );

/** The members that say where a connection leads. If they change, nothing is known about the posts there. */
const addressing: Readonly<Record<ConnectionKind, readonly string[]>> = {
  git: ['remote_url', 'branch'],
  ghost: ['admin_url'],
  wordpress: ['site_url'],
  http: ['url'],
};

export const leadsElsewhere = (
  kind: ConnectionKind,
  before: ConnectionConfig,
  after: ConnectionConfig,
): boolean => addressing[kind].some((name) => before[name] !== after[name]);

/** The member with the address. */
export const addressMember = (kind: ConnectionKind): string => configMembers(kind)[0] as string;

/**
 * Whether a changed config would have the stored secret sent to somebody else, by whoever may change a connection and
 * could not read it: to another host, or to another site on the same one, which its path says. Repositories of git on
 * one host belong to one service. Signing secrets and keys of ssh are never sent.
 */
export function sendsSecretElsewhere(
  kind: ConnectionKind,
  before: ConnectionConfig,
  after: ConnectionConfig,
): boolean {
  const name = addressMember(kind);
  const [from, to] = [URL.parse(before[name] ?? ''), URL.parse(after[name] ?? '')];
  if (kind === 'http' || to === null || !/^https?:$/.test(to.protocol)) return false;
  if (from?.origin !== to.origin) return true;
  return kind !== 'git' && folderOf(from) !== folderOf(to);
}

/** Ghost may be named with or without the path of its admin. */
const folderOf = ({ pathname }: URL): string => pathname.replace(/(?:\/ghost)?\/*$/, '');

/** A config without the paths and queries of its addresses, which may hold keys to them. */
export function withoutPaths(kind: ConnectionKind, config: ConnectionConfig): ConnectionConfig {
  const name = addressMember(kind);
  return { ...config, [name]: hostOf(config[name] ?? '') };
}

/** The scheme and the host of an address; also of one of ssh that is no URL, such as `git@host:path`. */
function hostOf(address: string): string {
  const url = URL.parse(address);
  if (url !== null && url.host !== '') return `${url.protocol}//${url.host}`;
  const host = /^(?:[^@/]*@)?([^:/]+):/.exec(address)?.[1];
  return host === undefined ? '' : `ssh://${host}`;
}
