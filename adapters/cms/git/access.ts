import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PushFailure } from '../../../domain/cms/adapter.ts';
import type { Remote } from '../../../domain/cms/adapter.ts';
import { checkedAddress } from '../../http/checked-address.ts';
import type { AddressPorts } from '../../http/checked-address.ts';
import { NetworkFailure } from '../../http/failure.ts';
import type { GitOptions } from './program.ts';
import { readGitRemote } from './remote.ts';
import type { GitRemote } from './remote.ts';

/** How git reaches a repository: only the checked address, with the connection's secret. */
export interface GitAccess extends Required<Pick<GitOptions, 'config' | 'env'>> {
  readonly url: string;
  /** The key of the ssh server after the first contact; null if there is none, or it was known. */
  readonly newHostKey: () => Promise<string | null>;
}

/**
 * Writes the files of ssh into the folder. A password is in no file and no argument.
 *
 * @throws PushFailure
 */
export async function openAccess(
  connection: Remote,
  folder: string,
  ports: AddressPorts,
): Promise<GitAccess> {
  const read = readGitRemote(connection.config['remote_url'] as string, ports.allowedHosts);
  if ('mistake' in read)
    throw new PushFailure(`The address of the repository cannot be used: ${read.mistake}`, { final: true });
  const { remote } = read;
  const address = await addressOf(remote, connection.siteId, ports);
  return remote.protocol === 'ssh'
    ? overSsh(remote, address, connection, folder)
    : overHttp(remote, address, connection.secret);
}

async function addressOf({ checkedUrl }: GitRemote, siteId: string, ports: AddressPorts): Promise<string> {
  try {
    return await checkedAddress(checkedUrl, siteId, ports);
  } catch (error) {
    if (!(error instanceof NetworkFailure)) throw error;
    throw new PushFailure(`The repository could not be reached: ${error.kind} (${error.message}).`, {
      cause: error,
    });
  }
}

/** The user of a secret that is only a password: hosts of repositories ignore it beside a token. */
const ANY_USER = 'git';

function overHttp(
  { url, protocol, host, port }: GitRemote,
  address: string,
  secret: string | null,
): GitAccess {
  const pair = secret === null ? null : secret.includes(':') ? secret : `${ANY_USER}:${secret}`;
  const bare = address.includes(':') ? `[${address}]` : address;
  return {
    url,
    config: [
      [`protocol.${protocol}.allow`, 'always'],
      ['http.followRedirects', 'false'],
      // It would resolve names itself, and so lead past the check of addresses.
      ['http.proxy', ''],
      ['http.curloptResolve', `${host}:${port}:${bare}`],
      ['http.lowSpeedLimit', '100'],
      ['http.lowSpeedTime', '30'],
      ...(pair === null
        ? []
        : [['http.extraHeader', `Authorization: Basic ${Buffer.from(pair).toString('base64')}`] as const]),
    ],
    env: {},
    newHostKey: async () => null,
  };
}

async function overSsh(
  { url, host }: GitRemote,
  address: string,
  { secret, hostKey }: Remote,
  folder: string,
): Promise<GitAccess> {
  if (secret === null)
    throw new PushFailure(
      'The connection has no secret. Set an OpenSSH private key with PATCH /delivery/connections/{id}, and push again.',
      { final: true },
    );
  const [keyFile, hostsFile] = [join(folder, 'key'), join(folder, 'known_hosts')];
  await writeFile(keyFile, `${secret.trim()}\n`, { mode: 0o600 });
  await writeFile(hostsFile, hostKey === null ? '' : `${hostKey}\n`, { mode: 0o600 });
  return {
    url,
    config: [['protocol.ssh.allow', 'always']],
    env: {
      GIT_SSH_VARIANT: 'ssh',
      GIT_SSH_COMMAND: sshCommand({ keyFile, hostsFile, host, address, known: hostKey !== null }),
    },
    async newHostKey() {
      const lines = hostKey === null ? (await readFile(hostsFile, 'utf8')).trim() : '';
      return lines === '' ? null : lines;
    },
  };
}

interface SshSettings {
  readonly keyFile: string;
  readonly hostsFile: string;
  readonly host: string;
  readonly address: string;
  readonly known: boolean;
}

/** The values hold nothing that a shell reads: paths of this process, an address, and a checked name. */
function sshCommand({ keyFile, hostsFile, host, address, known }: SshSettings): string {
  const options = {
    HostName: address,
    HostKeyAlias: host.replaceAll(/[[\]]/g, ''),
    IdentityFile: keyFile,
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    UserKnownHostsFile: hostsFile,
    GlobalKnownHostsFile: '/dev/null',
    StrictHostKeyChecking: known ? 'yes' : 'accept-new',
    HashKnownHosts: 'no',
    UpdateHostKeys: 'no',
    CheckHostIP: 'no',
    BatchMode: 'yes',
    ForwardAgent: 'no',
    ClearAllForwardings: 'yes',
    ProxyCommand: 'none',
    PermitLocalCommand: 'no',
    CanonicalizeHostname: 'no',
    ConnectTimeout: '10',
    ServerAliveInterval: '10',
    ServerAliveCountMax: '3',
  };
  return `ssh -F none -T ${Object.entries(options)
    .map(([name, value]) => `-o ${name}=${value}`)
    .join(' ')}`;
}
