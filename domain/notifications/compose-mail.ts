import type { SecretBox } from '../kernel/secret-box.ts';
import { isAboutSecurity } from './kinds.ts';
import type { Language } from './kinds.ts';
import { tokenOfMail } from './link-mail.ts';
import type { DueMail, Mail } from './mails.ts';
import { addressOf, textOf } from './present.ts';
import { unsubscribePath } from './unsubscribe.ts';

interface Ports {
  readonly box: SecretBox;
  readonly publicUrl: string;
  /** The address of the pages for a new password; the token follows. */
  readonly resets: string;
}

const texts = {
  en: {
    several: (count: number) => `${count} notifications`,
    more: (count: number) => `And ${count} more.`,
    open: 'Open',
    why: (name: string) => `You get this mail because you are a member of the team of ${name}.`,
    stop: 'No more mail of this kind',
    always: 'Mail about security cannot be turned off.',
    invited: (name: string) => `You were invited to ${name}`,
    invitedText: 'Choose a password with this link. It works once, for 24 hours.',
    reset: 'Set a new password',
    resetText:
      'Somebody who manages your team made this link, with which you choose a new password. It works once, for 24 hours.',
  },
  de: {
    several: (count: number) => `${count} Mitteilungen`,
    more: (count: number) => `Und ${count} weitere.`,
    open: 'Öffnen',
    why: (name: string) => `Sie erhalten diese Mail, weil Sie zum Team von ${name} gehören.`,
    stop: 'Keine Mails dieser Art mehr',
    always: 'Mails zur Sicherheit lassen sich nicht abbestellen.',
    invited: (name: string) => `Sie sind eingeladen zu ${name}`,
    invitedText: 'Wählen Sie mit diesem Link ein Passwort. Er gilt einmal, 24 Stunden lang.',
    reset: 'Neues Passwort setzen',
    resetText:
      'Jemand, der Ihr Team verwaltet, hat diesen Link erstellt, mit dem Sie ein neues Passwort wählen. Er gilt einmal, 24 Stunden lang.',
  },
} as const satisfies Readonly<Record<Language, unknown>>;

/** What a digest shows; the dashboard shows the rest. */
const SHOWN = 50;
const SUBJECT_LENGTH = 120;

/** A mail in the language of its person; null for a link that has ended. */
export function composeMail(mail: DueMail, ports: Ports): Mail | null {
  const isLink = mail.told.some(({ kind }) => kind.startsWith('link.'));
  return isLink ? composeLink(mail, ports) : composeTold(mail, ports);
}

function composeTold(mail: DueMail, { box, publicUrl }: Ports): Mail {
  const { id, language, told, organisation_name: organisation } = mail;
  const words = texts[language];
  const lines = told.slice(0, SHOWN).map((one) => {
    const siteId = one.site_id ?? mail.any_site_id;
    const text = visible(textOf(one.kind, one.details, language));
    return { text, url: siteId === null ? `${publicUrl}/dashboard` : addressOf(publicUrl, siteId, one) };
  });
  const kinds = told.map(({ kind }) => kind);
  const stop = publicUrl + unsubscribePath(box, mail.member_id, kinds);
  const more = told.length > SHOWN ? words.more(told.length - SHOWN) : null;
  const why = words.why(visible(organisation));
  const isAlways = kinds.every(isAboutSecurity);
  const items = lines.map(({ text, url }) => `${text}\n${url}`);
  const end = isAlways ? words.always : `${words.stop}: ${stop}`;
  const endHtml = isAlways ? escape(words.always) : `<a href="${escape(stop)}">${words.stop}</a>`;
  return {
    id,
    to: mail.email,
    subject: shortened(lines.length === 1 ? (lines[0]?.text ?? '') : words.several(told.length)),
    text: [...items, ...(more === null ? [] : [more]), `-- \n${why}\n${end}`].join('\n\n'),
    html: page(
      language,
      `${lines.map(({ text, url }) => `<p>${escape(text)}<br><a href="${escape(url)}">${words.open}</a></p>`).join('')}${
        more === null ? '' : `<p>${more}</p>`
      }<hr><p>${escape(why)}<br>${endHtml}</p>`,
    ),
    headers: {
      'List-Unsubscribe': `<${stop}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** An invitation, or a reset: the only mails that hold a secret. */
function composeLink(mail: DueMail, { box, resets }: Ports): Mail | null {
  const token = tokenOfMail(box, mail.id, mail.link_hash);
  if (token === null) return null;
  const words = texts[mail.language];
  const isInvitation = mail.told[0]?.kind === 'link.invitation';
  const subject = isInvitation ? words.invited(visible(mail.organisation_name)) : words.reset;
  const text = isInvitation ? words.invitedText : words.resetText;
  const url = `${resets}${token}`;
  return {
    id: mail.id,
    to: mail.email,
    subject: shortened(subject),
    text: `${subject}\n\n${text}\n\n${url}`,
    html: page(
      mail.language,
      `<p>${escape(subject)}</p><p>${escape(text)}</p><p><a href="${escape(url)}">${escape(url)}</a></p>`,
    ),
    headers: {},
  };
}

const page = (language: Language, body: string): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head><body>${body}</body></html>`;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

/** Without line breaks, and characters that hide or reorder the text around them. */
const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

const shortened = (subject: string): string => {
  const characters = [...subject];
  return characters.length <= SUBJECT_LENGTH
    ? subject
    : `${characters.slice(0, SUBJECT_LENGTH - 1).join('')}…`;
};
