import { spawn } from 'node:child_process';
import type { AddressInfo, Server } from 'node:net';
import ssh2 from 'ssh2';

/** Serves a repository by ssh to whoever has the key. */
export interface SshServer {
  readonly port: number;
  /** Commands that clients sent. */
  readonly commands: readonly string[];
  close(): Promise<void>;
}

export const newKeys = () => ssh2.utils.generateKeyPairSync('ed25519');

interface Options {
  /** The private key of the server. */
  readonly hostKey: string;
  /** The public key of the only user. */
  readonly userKey: string;
  readonly port?: number;
}

/** Only the two programs that git asks for are run. */
const asked = /^(git-upload-pack|git-receive-pack) '([^']+)'$/;

export async function startSshServer({ hostKey, userKey, port = 0 }: Options): Promise<SshServer> {
  const allowed = ssh2.utils.parseKey(userKey);
  const commands: string[] = [];
  const server: Server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => {});
    client.on('authentication', (context) => {
      const known =
        context.method === 'publickey' &&
        context.key.data.equals(allowed.getPublicSSH()) &&
        (context.signature === undefined ||
          allowed.verify(context.blob, context.signature, context.hashAlgo));
      if (known) context.accept();
      else context.reject(['publickey']);
    });
    client.on('session', (accept) =>
      accept().on('exec', (take, reject, { command }) => {
        commands.push(command);
        const [, program, folder] = asked.exec(command) ?? [];
        if (program === undefined || folder === undefined) return reject();
        const channel = take();
        const child = spawn('git', [program.slice('git-'.length), folder]);
        channel.pipe(child.stdin);
        child.stdout.on('data', (chunk: Buffer) => channel.write(chunk));
        child.stderr.on('data', (chunk: Buffer) => channel.stderr.write(chunk));
        child.stdin.on('error', () => {});
        child.on('close', (code) => {
          channel.exit(code ?? 1);
          channel.end();
        });
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
