import { texts } from '../../text/texts.ts';

/** What the API calls each kind that can be kept out of mail; one that is missing here is shown by that name. */
const kinds = {
  'approval.requested': ['Requests of agents', 'Anfragen von Agenten'],
  'comment.held': ['Comments that wait', 'Wartende Kommentare'],
  'publication.failed': ['Publications that failed', 'Gescheiterte Veröffentlichungen'],
  'pipeline_run.finished': ['Ends of your runs', 'Ende Ihrer Durchläufe'],
  'seo_scan.finished': ['Ends of your scans', 'Ende Ihrer Prüfungen'],
  'autopilot.refused': ['Refusals of the autopilot', 'Autopilot ohne Durchlauf'],
  'webhook.disabled': ['Disabled webhooks', 'Abgeschaltete Webhooks'],
  'push.failed': ['Failed pushes', 'Gescheiterte Übertragungen'],
  'billing.problem': ['Problems with payments', 'Probleme mit Zahlungen'],
} as const;

export const mutableKinds = Object.keys(kinds) as (keyof typeof kinds)[];

const namesIn = (language: 0 | 1) =>
  Object.fromEntries(mutableKinds.map((kind) => [kind, kinds[kind][language]])) as Record<
    keyof typeof kinds,
    string
  >;

export const screenTexts = texts(
  {
    title: 'Notifications',
    about: 'What concerns you, of the last 90 days.',
    shown: 'Show',
    all: 'All',
    unread: 'Unread',
    none: 'You have no notifications',
    noneUnread: 'You have read everything',
    readAll: 'Mark all as read',
    what: 'What happened',
    when: 'When',
    state: 'State',
    isUnread: 'Unread',
    isRead: 'Read',
    settings: 'Mail',
    settingsAbout: 'What is about security is always mailed.',
    noMail: 'This service sends no mail. The operator sets it up with SMTP_URL.',
    email: 'Send me mail',
    digest: 'How often',
    digests: { immediate: 'At once', hourly: 'Every hour', daily: 'Every day at 8' },
    kinds: 'Mail about',
    kind: namesIn(0),
    saved: 'Saved.',
    save: 'Save',
  },
  {
    title: 'Mitteilungen',
    about: 'Was Sie betrifft, aus den letzten 90 Tagen.',
    shown: 'Anzeigen',
    all: 'Alle',
    unread: 'Ungelesene',
    none: 'Sie haben keine Mitteilungen',
    noneUnread: 'Sie haben alles gelesen',
    readAll: 'Alle als gelesen markieren',
    what: 'Was geschah',
    when: 'Wann',
    state: 'Status',
    isUnread: 'Ungelesen',
    isRead: 'Gelesen',
    settings: 'Mail',
    settingsAbout: 'Was die Sicherheit betrifft, kommt immer per Mail.',
    noMail: 'Dieser Dienst verschickt keine Mails. Der Betreiber richtet es mit SMTP_URL ein.',
    email: 'Mails an mich',
    digest: 'Wie oft',
    digests: { immediate: 'Sofort', hourly: 'Jede Stunde', daily: 'Jeden Tag um 8' },
    kinds: 'Mails über',
    kind: namesIn(1),
    saved: 'Gespeichert.',
    save: 'Speichern',
  },
);
