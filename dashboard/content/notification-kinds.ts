/** The names of the kinds that can be kept out of mail, and that channels get; one that is missing is shown by its own. */
const kinds = {
  'approval.requested': ['Requests of agents', 'Anfragen von Agenten'],
  'review.requested': ['Reviews that are asked for', 'Erbetene Durchsichten'],
  'review.decided': ['Decisions on reviews', 'Entscheidungen über Durchsichten'],
  'note.mentioned': ['Mentions in notes', 'Erwähnungen in Anmerkungen'],
  'note.replied': ['Replies to notes', 'Antworten auf Anmerkungen'],
  'comment.held': ['Comments that wait', 'Wartende Kommentare'],
  'publication.failed': ['Publications that failed', 'Gescheiterte Veröffentlichungen'],
  'pipeline_run.finished': ['Ends of runs', 'Ende von Durchläufen'],
  'seo_scan.finished': ['Ends of scans', 'Ende von Prüfungen der Suchmaschinen'],
  'autopilot.refused': ['Refusals of the autopilot', 'Autopilot ohne Durchlauf'],
  'webhook.disabled': ['Disabled webhooks', 'Abgeschaltete Webhooks'],
  'push.failed': ['Failed pushes', 'Gescheiterte Übertragungen'],
  'billing.problem': ['Problems with payments', 'Probleme mit Zahlungen'],
} as const;

type Kind = keyof typeof kinds;

export const notificationKinds = Object.keys(kinds) as Kind[];

export const kindNamesIn = (language: 'en' | 'de') =>
  Object.fromEntries(
    notificationKinds.map((kind) => [kind, kinds[kind][language === 'en' ? 0 : 1]]),
  ) as Record<Kind, string>;
