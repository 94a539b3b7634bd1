import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createMailer } from '../../../adapters/mail/smtp.ts';
import type { MailOutcome } from '../../../domain/notifications/mails.ts';
import { readSettings } from '../../../runtime/settings.ts';

const PASSWORD = 'pass-word-of-the-operator';
const mail = {
  id: '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11',
  to: 'ada@example.com',
  subject: 'One',
  text: 'Text.\n'.repeat(10_000),
  html: '<p>Text.</p>',
  headers: {},
};

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterAll(() => {
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
});

/** What a server answers to a line of a client, by its first word, of which `greeting` is the connection; null for nothing. */
type Answers = Readonly<Record<string, string | null>>;

const willing: Answers = {
  greeting: '220 mail.example.com',
  EHLO: '250-mail.example.com\r\n250 AUTH PLAIN',
  AUTH: '235 Welcome',
  MAIL: '250 Yes',
  RCPT: '250 Yes',
  DATA: '354 Go on',
  '.': '250 Taken',
  QUIT: '221 Bye',
};

/** Hands a mail to a server. @param cut whether that ends the connection while the mail is sent */
async function sent(answers: Answers, cut = false): Promise<MailOutcome> {
  const said = { ...willing, ...answers };
  const server = createServer((socket) => {
    sockets.add(socket);
    const answer = (word: string): void => {
      const line = said[word];
      if (typeof line === 'string') socket.write(`${line}\r\n`);
    };
    let isMail = false;
    let rest = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (isMail && cut) return void socket.destroy();
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const word = isMail ? line : (line.split(' ')[0] ?? '').toUpperCase();
        if (isMail && word !== '.') continue;
        isMail = word === 'DATA' && (said['DATA']?.startsWith('354') ?? false);
        answer(word);
      }
    });
    answer('greeting');
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = { SMTP_URL: `smtp://ada:${PASSWORD}@127.0.0.1:${port}`, MAIL_FROM: 'presswork@example.com' };
  const mailer = await createMailer(readSettings(env));
  return (mailer as NonNullable<typeof mailer>).send(mail);
}

test('a mail is handed over to a server that wants to know who sends it', async () => {
  expect(await sent({})).toEqual({ sent: true });
});

const silent: readonly (readonly [string, Answers])[] = [
  ['does not greet', { greeting: null }],
  ['accepts, and is then silent', { '.': null }],
  ['stops in the middle', { RCPT: null }],
];

test.concurrent.each(silent)('a server that %s is given up, and tried again', async (_name, answers) => {
  expect(await sent(answers)).toMatchObject({
    sent: false,
    final: false,
    reason: expect.stringMatching(/^E/),
  });
});

test('a connection that ends while the mail is sent is tried again', async () => {
  expect(await sent({}, true)).toMatchObject({ sent: false, final: false });
});

test.each(['greeting', 'MAIL', 'RCPT', 'DATA', '.'])(
  'of a refusal at %s, the code decides',
  async (place) => {
    expect(await sent({ [place]: '451 Later' })).toMatchObject({ sent: false, final: false });
    expect(await sent({ [place]: '550 Never' })).toMatchObject({ sent: false, final: true });
  },
);

test('a password that is refused is the operator’s to mend, and is not in what is stored', async () => {
  const outcome = await sent({ AUTH: '535 No' });
  expect(outcome).toMatchObject({ sent: false, final: false, reason: 'EAUTH 535' });
  expect(JSON.stringify(outcome)).not.toContain(PASSWORD);
  expect(JSON.stringify(outcome)).not.toContain(Buffer.from(PASSWORD).toString('base64'));
});
