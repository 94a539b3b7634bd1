import { texts } from '../../text/texts.ts';

export const searchTexts = texts(
  {
    title: 'Search everywhere',
    placeholder: 'Articles, images, names, screens …',
    groups: {
      recent: 'Opened lately',
      actions: 'Actions',
      screens: 'Screens',
      articles: 'Articles',
      media: 'Media',
      categories: 'Categories',
      tags: 'Tags',
      authors: 'Authors',
    },
    actions: {
      article: 'New article',
      run: 'Start a run',
      upload: 'Upload images',
      account: 'Your account',
    },
    all: (q: string) => `All articles with “${q}”`,
    untitled: 'Untitled',
    searching: 'Searching …',
    none: (q: string) => `Nothing matches “${q}”.`,
    count: (count: number) => (count === 1 ? '1 result' : `${count} results`),
    hint: 'Arrow keys choose, Enter opens, Esc closes.',
    failed: 'Some of it could not be searched.',
  },
  {
    title: 'Überall suchen',
    placeholder: 'Artikel, Bilder, Namen, Bereiche …',
    groups: {
      recent: 'Zuletzt geöffnet',
      actions: 'Aktionen',
      screens: 'Bereiche',
      articles: 'Artikel',
      media: 'Medien',
      categories: 'Kategorien',
      tags: 'Schlagwörter',
      authors: 'Autoren',
    },
    actions: {
      article: 'Neuer Artikel',
      run: 'Durchlauf starten',
      upload: 'Bilder hochladen',
      account: 'Ihr Konto',
    },
    all: (q) => `Alle Artikel mit „${q}“`,
    untitled: 'Ohne Titel',
    searching: 'Sucht …',
    none: (q) => `Nichts passt zu „${q}“.`,
    count: (count) => (count === 1 ? '1 Ergebnis' : `${count} Ergebnisse`),
    hint: 'Pfeiltasten wählen, Enter öffnet, Esc schließt.',
    failed: 'Ein Teil konnte nicht durchsucht werden.',
  },
);

export type Group = keyof (typeof searchTexts)['en']['groups'];
