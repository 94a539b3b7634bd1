import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as the server got it. */
export interface ReceivedMail {
  readonly to: readonly string[];
  /** The whole mail, its texts decoded. */
  readonly raw: string;
  header(name: string): string | undefined;
}

/** How the server treats a mail: a status that it answers, or `drop`, to close the connection without an answer. */
export type Treatment = 'accept' | 'drop' | 'silence' | { readonly status: number };

export interface MailServer {
  readonly url: string;
  /** What was accepted, oldest first. */
  readonly received: ReceivedMail[];
  /** How often somebody tried to hand a mail over. */
  readonly attempts: number;
  treat: Treatment;
  /** Called when a mail is accepted, before that is answered. */
  after: (() => Promise<void>) | undefined;
  close(): Promise<void>;
}

/** A real mail server on this machine. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    // Keeps nobody waiting at its end.
    closeTimeout: 100,
    onData(stream, session, answer) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        mails.attempts += 1;
        const { treat } = mails;
        if (treat === 'silence') return;
        if (treat === 'drop') {
          for (const connection of server.connections) (connection as Dropped)._socket?.destroy();
          return;
        }
        if (typeof treat === 'object')
          return answer(Object.assign(new Error('Not now'), { responseCode: treat.status }));
        const sent = Buffer.concat(chunks).toString('utf8');
        const [head = ''] = sent.split('\r\n\r\n', 1);
        const raw = decoded(sent);
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw,
          header: (name) =>
            new RegExp(`^${name}: (.*)$`, 'im').exec(head.replaceAll(/\r\n[ \t]+/g, ' '))?.[1]?.trim(),
        });
        await mails.after?.();
        answer();
      });
    },
  });
  const mails = {
    received,
    attempts: 0,
    treat: 'accept' as Treatment,
    after: undefined as MailServer['after'],
    url: '',
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  mails.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return mails;
}

interface Dropped {
  readonly _socket?: { destroy(): void };
}

/** Quoted-printable, in which the texts are. */
const decoded = (raw: string): string =>
  Buffer.from(
    raw
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8');
