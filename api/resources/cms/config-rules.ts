import { addressMember, configMembers, connectionKinds } from '../../../domain/cms/config.ts';
import type { ConnectionConfig, ConnectionKind } from '../../../domain/cms/config.ts';
import type { FieldMessages } from '../../../packages/base/mistakes.ts';
import { validationFailed } from '../../../domain/kernel/errors.ts';
import type { Site } from '../../../domain/kernel/site.ts';
import { mistakeInBranch, mistakeInFolder } from '../../../adapters/cms/git/names.ts';
import { readGitRemote } from '../../../adapters/cms/git/remote.ts';
import { checkSavedUrl, examineSavedUrl } from '../../../adapters/http/saved-url.ts';
import type { TargetCheck } from '../../../adapters/http/target.ts';
import type { AllowedHosts } from '../../../runtime/allowed-hosts.ts';
import type { Ports } from '../../framework/ports.ts';
import { mistakeInSecret } from './secret-rules.ts';

/** A connection as it would be after a request. */
interface Candidate {
  readonly kind: ConnectionKind;
  readonly config: Readonly<Record<string, unknown>>;
  /** Null for none; undefined if the stored one stays. */
  readonly secret?: unknown;
}

type Check = (value: string, hosts: AllowedHosts | undefined) => string | null;

/** An address of a system, below which its paths are. */
const base: Check = (value, hosts) => {
  const checked = examineSavedUrl(value, hosts === undefined ? {} : { allowedHosts: hosts });
  if (!checked.ok) return checked.reason;
  return /[?#]/.test(value) ? 'must be the address of the system, without ? and #' : null;
};

const checks: Readonly<Record<string, Check>> = {
  remote_url(value, hosts) {
    const read = readGitRemote(value, hosts);
    return 'mistake' in read ? read.mistake : null;
  },
  branch: mistakeInBranch,
  path: mistakeInFolder,
  admin_url: base,
  site_url: base,
  url(value, hosts) {
    const checked = examineSavedUrl(value, hosts === undefined ? {} : { allowedHosts: hosts });
    return checked.ok ? null : checked.reason;
  },
  user: (value) =>
    value === '' || /[\p{Cc}:]/u.test(value)
      ? 'must be the name of a user, without colons and control characters'
      : null,
};

/** Members that must be sent with a new connection. */
const needed: readonly string[] = ['remote_url', 'admin_url', 'site_url', 'user', 'url'];

/** The mistakes of a connection, without a look-up: members by their paths. */
export function mistakesInConnection(
  { kind, config, secret }: Candidate,
  hosts: AllowedHosts | undefined,
): FieldMessages {
  const own = configMembers(kind);
  const mistakes: Record<string, string> = {};
  for (const name of Object.keys(config))
    if (name in checks && !own.includes(name))
      mistakes[`config.${name}`] = `is not used by the kind ${kind}: leave it out`;
  for (const name of own) {
    const value = config[name];
    if (value === undefined && needed.includes(name))
      mistakes[`config.${name}`] = `is required for the kind ${kind}`;
    // Another type is named by the schema.
    if (typeof value !== 'string') continue;
    const mistake = checks[name]?.(value, hosts);
    if (mistake) mistakes[`config.${name}`] = mistake;
  }
  if (typeof secret === 'string') {
    const mistake = mistakeInSecret(kind, config['remote_url'], secret);
    if (mistake !== null) mistakes['secret'] = mistake;
  }
  return mistakes;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks a new connection as it was sent. */
export function examineConnection(
  { kind, config, secret }: Readonly<Record<string, unknown>>,
  { webhookUrls }: Ports,
): FieldMessages {
  const known = connectionKinds.find((each) => each === kind);
  if (known === undefined || !isObject(config)) return {};
  return mistakesInConnection({ kind: known, config, secret }, webhookUrls.allowedHosts);
}

/** The member with the address, and the result of its look-up. */
export interface CheckedAddress {
  readonly member: string;
  readonly check: TargetCheck;
}

/** Looks up the name in a config's address; null if there is none, or it is wrong anyway. */
export async function lookUpAddress(
  config: ConnectionConfig | Readonly<Record<string, string | undefined>> | undefined,
  { site, ports }: { readonly site: Pick<Site, 'id'>; readonly ports: Ports },
): Promise<CheckedAddress | null> {
  const member = connectionKinds.map(addressMember).find((name) => config?.[name] !== undefined);
  const value = member === undefined ? undefined : config?.[member];
  if (member === undefined || value === undefined) return null;
  const { allowedHosts } = ports.webhookUrls;
  const read = member === 'remote_url' ? readGitRemote(value, allowedHosts) : null;
  if (read !== null && 'mistake' in read) return null;
  const check = await checkSavedUrl(read?.remote.checkedUrl ?? value, site.id, ports.webhookUrls);
  return { member, check };
}

/** @throws ServiceError VALIDATION_FAILED on the address */
export function requirePublicAddress(checked: CheckedAddress | null): void {
  if (checked?.check.ok === false)
    throw validationFailed({ [`config.${checked.member}`]: checked.check.reason });
}
