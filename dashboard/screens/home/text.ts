import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  {
    title: 'Home',
    newArticle: 'New article',
    recent: {
      title: 'Recently changed',
      all: 'All articles',
      none: 'No articles yet',
      noneAbout: 'Write the first one. It stays a draft until you publish or schedule it.',
      untitled: 'Untitled',
    },
  },
  {
    title: 'Start',
    newArticle: 'Neuer Artikel',
    recent: {
      title: 'Zuletzt geändert',
      all: 'Alle Artikel',
      none: 'Noch keine Artikel',
      noneAbout: 'Schreiben Sie den ersten. Er bleibt ein Entwurf, bis Sie ihn veröffentlichen oder planen.',
      untitled: 'Ohne Titel',
    },
  },
);

export const stepTexts = texts(
  {
    title: 'First steps',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    hide: 'Hide the first steps',
    done: 'Done',
    open: 'Not done yet',
    article: {
      title: 'Write an article',
      about: 'It stays a draft until you publish it. What you type is saved while you write.',
      action: 'Write an article',
    },
    schedule: {
      title: 'Schedule an article',
      about: 'Presswork publishes it at that time, on the clock of your Site.',
      action: 'Open the calendar',
    },
    webhook: {
      title: 'Add a webhook',
      about:
        'Your website hears of each change. While you develop, this command brings the events to your machine:',
      action: 'Add a webhook',
      command: 'Command for your terminal',
      key: 'KEY is a secret key of this Site.',
    },
    invite: {
      title: 'Add a member',
      about: 'Everybody has a role, which says what they may do.',
      action: 'Add a member',
    },
  },
  {
    title: 'Erste Schritte',
    progress: (done, all) => `${done} von ${all} erledigt`,
    hide: 'Erste Schritte ausblenden',
    done: 'Erledigt',
    open: 'Noch nicht erledigt',
    article: {
      title: 'Einen Artikel schreiben',
      about:
        'Er bleibt ein Entwurf, bis Sie ihn veröffentlichen. Was Sie tippen, wird beim Schreiben gespeichert.',
      action: 'Artikel schreiben',
    },
    schedule: {
      title: 'Einen Artikel planen',
      about: 'Presswork veröffentlicht ihn zu dieser Zeit, nach der Uhr Ihrer Site.',
      action: 'Kalender öffnen',
    },
    webhook: {
      title: 'Einen Webhook hinzufügen',
      about:
        'Ihre Website erfährt von jeder Änderung. Während der Entwicklung holt dieser Befehl die Ereignisse auf Ihren Rechner:',
      action: 'Webhook hinzufügen',
      command: 'Befehl für Ihr Terminal',
      key: 'KEY ist ein geheimer Schlüssel dieser Site.',
    },
    invite: {
      title: 'Mitglied hinzufügen',
      about: 'Jedes Mitglied hat eine Rolle. Sie legt fest, was es darf.',
      action: 'Mitglied hinzufügen',
    },
  },
);

export const attentionTexts = texts(
  {
    title: 'Needs attention',
    none: 'Nothing needs your attention.',
    failedRun: (time: string) => `The run of ${time} failed.`,
    partialRun: (time: string) => `The run of ${time} ended early.`,
    comments: (count: number, shown: string) =>
      count === 1 ? 'A comment waits for a decision.' : `${shown} comments wait for a decision.`,
    approval: (key: string, action: string) => `The key ${key} asks for an approval: ${action}.`,
    moreApprovals: (count: number) =>
      count === 1 ? 'One more request of an agent waits.' : `${count} more requests of agents wait.`,
    review: (name: string, title: string, due: string | null) =>
      `${name} waits for your review: ${title}${due === null ? '' : `, due ${due}`}.`,
    disabled: (url: string) => `The webhook to ${url} was switched off after too many failures.`,
    paused: (url: string) => `The webhook to ${url} is switched off.`,
    failing: (url: string, count: number) =>
      count === 1 ? `The last delivery to ${url} failed.` : `The last ${count} deliveries to ${url} failed.`,
    overdue: (title: string, time: string) => `${title} was due ${time} and is not published yet.`,
    named: (title: string) => `“${title}”`,
    untitled: 'An article without a title',
    look: {
      run: 'Show the run',
      comments: 'Moderate',
      approval: 'Decide',
      approvals: 'Show all',
      review: 'Open the article',
      webhook: 'Show the webhook',
      article: 'Open the article',
    },
  },
  {
    title: 'Braucht Aufmerksamkeit',
    none: 'Nichts braucht Ihre Aufmerksamkeit.',
    failedRun: (time) => `Der Durchlauf vom ${time} ist fehlgeschlagen.`,
    partialRun: (time) => `Der Durchlauf vom ${time} endete vorzeitig.`,
    comments: (count, shown) =>
      count === 1
        ? 'Ein Kommentar wartet auf eine Entscheidung.'
        : `${shown} Kommentare warten auf eine Entscheidung.`,
    approval: (key, action) => `Der Schlüssel ${key} bittet um eine Freigabe: ${action}.`,
    moreApprovals: (count) =>
      count === 1
        ? 'Eine weitere Anfrage eines Agenten wartet.'
        : `${count} weitere Anfragen von Agenten warten.`,
    review: (name, title, due) =>
      `${name} wartet auf Ihre Durchsicht: ${title}${due === null ? '' : `, bis ${due}`}.`,
    disabled: (url) => `Der Webhook zu ${url} wurde nach zu vielen Fehlern abgeschaltet.`,
    paused: (url) => `Der Webhook zu ${url} ist abgeschaltet.`,
    failing: (url, count) =>
      count === 1
        ? `Die letzte Zustellung an ${url} ist fehlgeschlagen.`
        : `Die letzten ${count} Zustellungen an ${url} sind fehlgeschlagen.`,
    overdue: (title, time) => `${title} war ${time} fällig und ist noch nicht veröffentlicht.`,
    named: (title) => `„${title}“`,
    untitled: 'Ein Artikel ohne Titel',
    look: {
      run: 'Durchlauf zeigen',
      comments: 'Moderieren',
      approval: 'Entscheiden',
      approvals: 'Alle zeigen',
      review: 'Artikel öffnen',
      webhook: 'Webhook zeigen',
      article: 'Artikel öffnen',
    },
  },
);
