import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  {
    title: 'Team',
    about: (organisation: string) => `Members of ${organisation} work on all of its Sites.`,
    members: 'Members',
    email: 'E-mail address',
    role: 'Role',
    signIn: 'Sign-in',
    since: 'Member since',
    you: 'you',
    canSignIn: 'Can sign in',
    noPassword: 'No password yet',
    actions: (email: string) => `Actions for ${email}`,
    changeRole: 'Change role …',
    resetLink: 'Link to set a password …',
    remove: 'Remove from the team …',
    nobody: 'No members',
    roles: {
      title: 'What each role may do',
      owner: 'Everything. Only the operator of Presswork makes, changes or removes an owner.',
      admin:
        'Everything in the dashboard: content, keys, webhooks, team, approvals, usage and settings. Cannot change owners.',
      editor:
        'Writes and publishes all content, moderates comments, and starts runs. Sees no keys, team or settings.',
      author: 'Writes and publishes articles, and adds images.',
      contributor: 'Writes drafts and changes that others publish, and adds images.',
      viewer: 'Reads articles and runs. Changes nothing.',
    },
    add: {
      open: 'Add a member',
      title: 'Add a member',
      about:
        'Presswork sends no e-mail. The membership starts at once; after this you get a link by which the person sets a password.',
      aboutMail:
        'The membership starts at once, and the person gets a mail with a link by which they set a password.',
      submit: 'Add member',
      done: (email: string) => `${email} is a member now.`,
    },
    change: {
      title: 'Change role',
      about: (email: string) =>
        `The new role holds for ${email} and for all their keys from the next request on.`,
      submit: 'Save role',
      done: (email: string) => `The role of ${email} is changed.`,
    },
    removal: {
      title: (email: string) => `Remove ${email} from the team?`,
      about:
        'They are signed out at once, and every key that they made stops working, also those that programs use. Their articles stay. You can add them again later.',
      action: 'Remove member',
      done: (email: string) => `${email} is not a member any more.`,
    },
    link: {
      title: 'Link to set a password',
      about: (email: string) =>
        `By this link ${email} sets a new password. It works once and for 24 hours; a link made before stops working. Hand it over in a way that only they can read.`,
      make: 'Make the link',
      label: 'Link',
      once: (until: string) => `Shown only now. It works once, until ${until}.`,
      mailed: (email: string) => `The same link is on its way to ${email} by mail.`,
      close: 'Done',
    },
  },
  {
    title: 'Team',
    about: (organisation: string) =>
      `Mitglieder von ${organisation} arbeiten an allen Sites der Organisation.`,
    members: 'Mitglieder',
    email: 'E-Mail-Adresse',
    role: 'Rolle',
    signIn: 'Anmeldung',
    since: 'Mitglied seit',
    you: 'Sie',
    canSignIn: 'Kann sich anmelden',
    noPassword: 'Noch kein Passwort',
    actions: (email: string) => `Aktionen für ${email}`,
    changeRole: 'Rolle ändern …',
    resetLink: 'Link zum Setzen eines Passworts …',
    remove: 'Aus dem Team entfernen …',
    nobody: 'Keine Mitglieder',
    roles: {
      title: 'Was jede Rolle darf',
      owner: 'Alles. Nur der Betreiber von Presswork ernennt, ändert oder entfernt Inhaber.',
      admin:
        'Alles im Dashboard: Inhalte, Schlüssel, Webhooks, Team, Freigaben, Verbrauch und Einstellungen. Kann Inhaber nicht ändern.',
      editor:
        'Schreibt und veröffentlicht alle Inhalte, moderiert Kommentare und startet Durchläufe. Sieht weder Schlüssel noch Team noch Einstellungen.',
      author: 'Schreibt und veröffentlicht Artikel und fügt Bilder hinzu.',
      contributor: 'Schreibt Entwürfe und Änderungen, die andere veröffentlichen, und fügt Bilder hinzu.',
      viewer: 'Liest Artikel und Durchläufe. Ändert nichts.',
    },
    add: {
      open: 'Mitglied hinzufügen',
      title: 'Mitglied hinzufügen',
      about:
        'Presswork verschickt keine E-Mail. Die Mitgliedschaft beginnt sofort; danach erhalten Sie einen Link, über den die Person ein Passwort setzt.',
      aboutMail:
        'Die Mitgliedschaft beginnt sofort, und die Person erhält eine Mail mit einem Link, über den sie ein Passwort setzt.',
      submit: 'Mitglied hinzufügen',
      done: (email: string) => `${email} ist jetzt Mitglied.`,
    },
    change: {
      title: 'Rolle ändern',
      about: (email: string) =>
        `Die neue Rolle gilt für ${email} und alle zugehörigen Schlüssel ab der nächsten Anfrage.`,
      submit: 'Rolle speichern',
      done: (email: string) => `Die Rolle von ${email} ist geändert.`,
    },
    removal: {
      title: (email: string) => `${email} aus dem Team entfernen?`,
      about:
        'Die Person wird sofort abgemeldet, und alle Schlüssel, die sie erstellt hat, funktionieren nicht mehr, auch die von Programmen. Ihre Artikel bleiben. Sie können sie später wieder hinzufügen.',
      action: 'Mitglied entfernen',
      done: (email: string) => `${email} ist kein Mitglied mehr.`,
    },
    link: {
      title: 'Link zum Setzen eines Passworts',
      about: (email: string) =>
        `Über diesen Link setzt ${email} ein neues Passwort. Er gilt einmal und 24 Stunden lang; ein früherer Link gilt nicht mehr. Übergeben Sie ihn so, dass nur die Person ihn lesen kann.`,
      make: 'Link erstellen',
      label: 'Link',
      once: (until: string) => `Wird nur jetzt angezeigt. Er gilt einmal, bis ${until}.`,
      mailed: (email: string) => `Derselbe Link geht per Mail an ${email}.`,
      close: 'Fertig',
    },
  },
);
