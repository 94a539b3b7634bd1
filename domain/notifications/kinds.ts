import { inWords } from '../../packages/base/approval-actions.ts';
import type { Permission } from '../access/permissions.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** What the text of a notification names, by name. */
export type Named = Readonly<Record<string, string>>;

interface Kind {
  /** Those with this permission are told; null for people whom the notice names. */
  readonly to: Permission | null;
  /** The screen of the Site in the dashboard. @param id of the target */
  readonly screen: (id: string | null) => string;
  /** Whether a person who has an unread one of the Site is told again: `hourly` after an hour, `once` never. */
  readonly again?: 'hourly' | 'once';
  readonly text: Readonly<Record<Language, (named: Named) => string>>;
  /** What channels say, where `text` speaks to one person. */
  readonly toAll?: Readonly<Record<Language, (named: Named) => string>>;
}

const ended: Readonly<Record<Language, Named>> = {
  en: {
    completed: 'is complete',
    partial: 'is partly done',
    failed: 'has failed',
    cancelled: 'was cancelled',
  },
  de: {
    completed: 'ist abgeschlossen',
    partial: 'ist teilweise erledigt',
    failed: 'ist gescheitert',
    cancelled: 'wurde abgebrochen',
  },
};

const problems: Readonly<Record<Language, Named>> = {
  en: {
    top_up_failed: 'An automatic purchase of credits could not be paid.',
    dispute: 'A payment was disputed, and its credits were taken back.',
    past_due: 'The subscription could not be renewed. Check the payment method.',
    ended: 'The plan has ended, because the subscription was not paid.',
  },
  de: {
    top_up_failed: 'Ein automatischer Kauf von Credits konnte nicht bezahlt werden.',
    dispute: 'Eine Zahlung wurde angefochten, und ihre Credits wurden abgezogen.',
    past_due: 'Das Abonnement konnte nicht verlängert werden. Prüfen Sie die Zahlungsart.',
    ended: 'Der Tarif ist beendet, weil das Abonnement nicht bezahlt wurde.',
  },
};

const decisions: Readonly<Record<Language, Named>> = {
  en: { approved: 'was approved', changes_requested: 'needs changes' },
  de: { approved: 'wurde freigegeben', changes_requested: 'braucht Änderungen' },
};

const account = (): string => 'account';
const article = (id: string | null): string => (id === null ? 'articles' : `articles/${id}`);

/**
 * Every kind of notification, and who is told (docs/spec/rulings.md, 24). To add one, add it here and call `notify`; the
 * settings and their checks follow. Nobody is told of what they did themselves, but for `security.*`.
 */
const declared = {
  'approval.requested': {
    to: 'approvals.decide',
    screen: (id) => (id === null ? 'approvals' : `approvals/${id}`),
    text: {
      en: ({ action = '' }) => `An agent asks for your approval: ${inWords('en', action)}.`,
      de: ({ action = '' }) => `Ein Agent bittet um Ihre Freigabe: ${inWords('de', action)}.`,
    },
    toAll: {
      en: ({ action = '' }) => `An agent asks for an approval: ${inWords('en', action)}.`,
      de: ({ action = '' }) => `Ein Agent bittet um eine Freigabe: ${inWords('de', action)}.`,
    },
  },
  'review.requested': {
    to: 'articles.publish',
    screen: article,
    text: {
      en: ({ title }) => `“${title}” waits for your review.`,
      de: ({ title }) => `„${title}“ wartet auf Ihre Durchsicht.`,
    },
    toAll: {
      en: ({ title }) => `“${title}” waits for a review.`,
      de: ({ title }) => `„${title}“ wartet auf eine Durchsicht.`,
    },
  },
  'review.decided': {
    to: null,
    screen: article,
    text: {
      en: ({ title, state = '' }) => `“${title}” ${decisions.en[state] ?? 'was reviewed'}.`,
      de: ({ title, state = '' }) => `„${title}“ ${decisions.de[state] ?? 'wurde geprüft'}.`,
    },
  },
  'note.mentioned': {
    to: null,
    screen: article,
    text: {
      en: ({ title }) => `You are mentioned in a note on “${title}”.`,
      de: ({ title }) => `Sie werden in einer Anmerkung zu „${title}“ erwähnt.`,
    },
    toAll: {
      en: ({ title }) => `A note on “${title}” mentions members of the team.`,
      de: ({ title }) => `Eine Notiz zu „${title}“ erwähnt Mitglieder des Teams.`,
    },
  },
  'note.replied': {
    to: null,
    screen: article,
    text: {
      en: ({ title }) => `Your note on “${title}” has a reply.`,
      de: ({ title }) => `Ihre Anmerkung zu „${title}“ hat eine Antwort.`,
    },
    toAll: {
      en: ({ title }) => `A note on “${title}” has a reply.`,
      de: ({ title }) => `Eine Notiz zu „${title}“ hat eine Antwort.`,
    },
  },
  'comment.held': {
    to: 'comments.moderate',
    screen: () => 'comments',
    again: 'hourly',
    text: {
      en: () => 'A comment waits to be approved.',
      de: () => 'Ein Kommentar wartet auf Freigabe.',
    },
  },
  'publication.failed': {
    to: null,
    screen: article,
    text: {
      en: ({ title }) => `“${title}” was not published at its time. The article says why.`,
      de: ({ title }) => `„${title}“ wurde nicht wie geplant veröffentlicht. Der Artikel sagt, warum.`,
    },
  },
  'pipeline_run.finished': {
    to: null,
    screen: (id) => `runs/${id}`,
    text: {
      en: ({ status = '' }) => `A run of the pipeline ${ended.en[status] ?? 'has ended'}.`,
      de: ({ status = '' }) => `Ein Lauf der Pipeline ${ended.de[status] ?? 'ist beendet'}.`,
    },
  },
  'seo_scan.finished': {
    to: null,
    screen: () => 'seo/scans',
    text: {
      en: ({ status = '' }) => `A scan ${ended.en[status] ?? 'has ended'}.`,
      de: ({ status = '' }) => `Eine Prüfung ${ended.de[status] ?? 'ist beendet'}.`,
    },
  },
  'autopilot.refused': {
    to: 'settings.manage',
    screen: () => 'content-plan',
    again: 'once',
    text: {
      en: () => 'The autopilot could not start its run. The content plan says why.',
      de: () => 'Der Autopilot konnte seinen Lauf nicht starten. Der Redaktionsplan sagt, warum.',
    },
  },
  'webhook.disabled': {
    to: 'settings.manage',
    screen: (id) => `webhooks/${id}`,
    text: {
      en: () => 'A webhook endpoint was disabled, because its deliveries failed.',
      de: () => 'Ein Webhook-Endpunkt wurde abgeschaltet, weil seine Zustellungen scheiterten.',
    },
  },
  'push.failed': {
    to: 'settings.manage',
    screen: () => 'delivery',
    text: {
      en: ({ articles }) =>
        `A push has ended, and did not reach its system with ${articles} of its articles.`,
      de: ({ articles }) => `Eine Übertragung ist beendet; ${articles} ihrer Artikel kamen nicht an.`,
    },
  },
  'billing.problem': {
    to: 'billing.manage',
    screen: () => 'billing',
    text: {
      en: ({ problem = '' }) => problems.en[problem] ?? 'There is a problem with a payment.',
      de: ({ problem = '' }) => problems.de[problem] ?? 'Es gibt ein Problem mit einer Zahlung.',
    },
  },
  'security.sign_in': {
    to: null,
    screen: account,
    text: {
      en: ({ address }) =>
        `You signed in from a new device, from the address ${address}. If it was not you, change your password.`,
      de: ({ address }) =>
        `Sie haben sich mit einem neuen Gerät angemeldet, von der Adresse ${address}. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.`,
    },
  },
  'security.reset_link': {
    to: null,
    screen: account,
    text: {
      en: () => 'A link was made with which your password can be set anew.',
      de: () => 'Ein Link wurde erstellt, mit dem Ihr Passwort neu gesetzt werden kann.',
    },
  },
  'security.two_factor_off': {
    to: null,
    screen: account,
    text: {
      en: () => 'Your second factor was turned off.',
      de: () => 'Ihr zweiter Faktor wurde ausgeschaltet.',
    },
  },
  'security.key_created': {
    to: 'team.manage',
    screen: () => 'keys',
    text: {
      en: () => 'An API key was created.',
      de: () => 'Ein API-Schlüssel wurde erstellt.',
    },
  },
  'security.connection_changed': {
    to: 'team.manage',
    screen: () => 'delivery',
    text: {
      en: () => 'A connection to another system was created, changed or deleted.',
      de: () => 'Eine Verbindung zu einem anderen System wurde angelegt, geändert oder gelöscht.',
    },
  },
  'security.webhook_created': {
    to: 'team.manage',
    screen: (id) => `webhooks/${id}`,
    text: {
      en: () => 'A webhook endpoint was created.',
      de: () => 'Ein Webhook-Endpunkt wurde angelegt.',
    },
  },
} satisfies Readonly<Record<string, Kind>>;

export type NotificationKind = keyof typeof declared;

export const kinds: Readonly<Record<NotificationKind, Kind>> = declared;

/** The kinds of which nobody can keep their mail free. */
export const isAboutSecurity = (kind: string): boolean => kind.startsWith('security.');

/** The kinds that a person can mute, and a channel can get. */
export const mutable = (Object.keys(kinds) as NotificationKind[]).filter((kind) => !isAboutSecurity(kind));
