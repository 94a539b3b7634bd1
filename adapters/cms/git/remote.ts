import { examineSavedUrl } from '../../http/saved-url.ts';
import type { AllowedHosts } from '../../../runtime/allowed-hosts.ts';

/** A repository, as git is told about it. */
export interface GitRemote {
  /** As it was given. */
  readonly url: string;
  readonly protocol: 'http' | 'https' | 'ssh';
  /** The URL whose host and port are checked like those of webhooks. */
  readonly checkedUrl: string;
  readonly host: string;
  readonly port: number;
}

const SSH_PORT = 22;
const FORM =
  'is not the address of a repository; use one such as https://git.example.com/blog.git or ssh://git@git.example.com/blog.git';

/** A user, a host, and a path, as ssh takes them: none of them can be read as an option. */
const user = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/;
const host = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,253}|\[[0-9A-Fa-f:.]{2,45}\])$/;
const unsafe = /[\p{Cc}\s<>"'\\`$|;&{}]/u;

/** Reads the address of a repository. @returns its mistake if it cannot be used */
export function readGitRemote(
  url: string,
  allowedHosts?: AllowedHosts,
): { readonly remote: GitRemote } | { readonly mistake: string } {
  if (/^https?:/i.test(url)) return readHttp(url, allowedHosts);
  return readSsh(url, allowedHosts);
}

type Read = ReturnType<typeof readGitRemote>;

function readHttp(url: string, allowedHosts: AllowedHosts | undefined): Read {
  const checked = examineSavedUrl(url, allowedHosts === undefined ? {} : { allowedHosts });
  if (!checked.ok) return { mistake: checked.reason };
  const parsed = checked.url;
  if (parsed.search !== '' || parsed.hash !== '' || /[?#]/.test(url))
    return { mistake: 'must be the address of a repository, without ? and #' };
  if (parsed.pathname === '/') return { mistake: FORM };
  const protocol = parsed.protocol === 'http:' ? 'http' : 'https';
  const port = parsed.port === '' ? (protocol === 'http' ? 80 : 443) : Number(parsed.port);
  return { remote: { url: parsed.href, protocol, checkedUrl: url, host: parsed.hostname, port } };
}

function readSsh(url: string, allowedHosts: AllowedHosts | undefined): Read {
  const parts = url.length > 2_000 || unsafe.test(url) ? null : (sshUrl(url) ?? scpForm(url));
  if (parts === null || !user.test(parts.user) || !host.test(parts.host) || !isPath(parts.path))
    return { mistake: FORM };
  const checkedUrl = `https://${parts.host}:${parts.port}/`;
  const checked = examineSavedUrl(checkedUrl, allowedHosts === undefined ? {} : { allowedHosts });
  if (!checked.ok) return { mistake: checked.reason };
  return {
    remote: { url, protocol: 'ssh', checkedUrl, host: checked.url.hostname, port: parts.port },
  };
}

const isPath = (path: string): boolean => path.length > 1 && !path.startsWith('-');

interface SshParts {
  readonly user: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** `ssh://git@host:22/path` */
function sshUrl(url: string): SshParts | null {
  if (!url.startsWith('ssh://')) return null;
  const parsed = URL.parse(url);
  if (parsed === null || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '') return null;
  const port = parsed.port === '' ? SSH_PORT : Number(parsed.port);
  return port === 0
    ? null
    : { user: parsed.username || 'git', host: parsed.hostname, port, path: parsed.pathname };
}

/** `git@host:path` */
function scpForm(url: string): SshParts | null {
  const at = url.indexOf('@');
  const colon = url.indexOf(':', at + 1);
  if (at < 1 || colon < 0 || url.includes('://')) return null;
  return {
    user: url.slice(0, at),
    host: url.slice(at + 1, colon),
    port: SSH_PORT,
    path: url.slice(colon + 1),
  };
}
