import type { Mail, MailOutcome } from '../../domain/notifications/mails.ts';
import { requireSetting } from '../../runtime/settings.ts';
import type { Settings } from '../../runtime/settings.ts';

export interface Mailer {
  /** Hands a mail to the mail server. Never rejects. */
  send(mail: Mail): Promise<MailOutcome>;
}

/** For each step; a mail server that says nothing for so long is away. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/** The mail server of the settings; null without one. It is the operator's own, so its address is not checked. */
export async function createMailer(settings: Settings): Promise<Mailer | null> {
  const { SMTP_URL: url } = settings;
  if (url === undefined) return null;
  const from = requireSetting(settings, 'MAIL_FROM');
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // Nothing in a mail may make this process read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = from.slice(from.lastIndexOf('@') + 1).replace(/>.*$/, '');
  return {
    async send({ id, to, headers, ...content }) {
      try {
        const fixed = { 'Auto-Submitted': 'auto-generated', ...headers };
        await transport.sendMail({
          textEncoding: 'quoted-printable',
          from,
          to,
          messageId: `<${id}@${host}>`,
          headers: fixed,
          ...content,
        });
        return { sent: true };
      } catch (error) {
        return refusalOf(error as SmtpError);
      }
    },
  };
}

type SmtpError = Error & { readonly code?: string; readonly responseCode?: number };

/** A refusal for good; a password that the server does not accept is the operator's to mend, and is tried again. */
const refusalOf = ({ code, responseCode, message }: SmtpError): MailOutcome => ({
  sent: false,
  final: responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH',
  error: message,
  reason: [code, responseCode].filter((part) => part !== undefined).join(' '),
});
