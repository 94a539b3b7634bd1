import { texts } from '../../text/texts.ts';

export const pushTexts = texts(
  {
    title: 'Push',
    statuses: {
      waiting: 'Waiting',
      succeeded: 'Pushed',
      failed: 'Failed',
      diverged: 'Changed there',
    },
    again: 'Another attempt follows.',
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    open: 'Open it there',
    retry: (count: number) => (count === 1 ? 'Push 1 article again' : `Push ${count} articles again`),
    force: (count: number) =>
      count === 1 ? 'Overwrite 1 article there' : `Overwrite ${count} articles there`,
    forceTitle: 'Overwrite what was changed there?',
    forceAbout:
      'What was changed or deleted in the other system since the last push is replaced by the articles as they are here.',
    started: 'The push is under way.',
    choose: 'Where to?',
    connection: 'Connection',
    none: 'This Site has no enabled connection.',
    toDelivery: 'To delivery',
    push: (count: number) => (count === 1 ? 'Push 1 article' : `Push ${count} articles`),
    pushAbout: 'Published articles are created or updated there. Others are taken away there.',
  },
  {
    title: 'Übertragung',
    statuses: {
      waiting: 'Wartet',
      succeeded: 'Übertragen',
      failed: 'Fehlgeschlagen',
      diverged: 'Dort geändert',
    },
    again: 'Ein weiterer Versuch folgt.',
    attempts: (count: number) => (count === 1 ? '1 Versuch' : `${count} Versuche`),
    open: 'Dort öffnen',
    retry: (count: number) => `${count} Artikel erneut übertragen`,
    force: (count: number) => `${count} Artikel dort überschreiben`,
    forceTitle: 'Überschreiben, was dort geändert wurde?',
    forceAbout:
      'Was im anderen System seit der letzten Übertragung geändert oder gelöscht wurde, wird durch die hiesigen Artikel ersetzt.',
    started: 'Die Übertragung läuft.',
    choose: 'Wohin?',
    connection: 'Verbindung',
    none: 'Diese Site hat keine aktive Verbindung.',
    toDelivery: 'Zur Auslieferung',
    push: (count: number) => `${count} Artikel übertragen`,
    pushAbout: 'Veröffentlichte Artikel werden dort angelegt oder geändert, andere dort entfernt.',
  },
);
