import { texts } from '../../text/texts.ts';

export const viewTexts = texts(
  {
    views: 'Views',
    none: 'No saved views yet',
    save: 'Save these filters …',
    remove: (name: string) => `Delete the view ${name}`,
    title: 'Save these filters',
    about: 'The view is kept in this browser.',
    name: 'Name of the view',
    saveNow: 'Save view',
  },
  {
    views: 'Ansichten',
    none: 'Noch keine gespeicherten Ansichten',
    save: 'Diese Filter speichern …',
    remove: (name: string) => `Ansicht ${name} löschen`,
    title: 'Diese Filter speichern',
    about: 'Die Ansicht wird in diesem Browser gespeichert.',
    name: 'Name der Ansicht',
    saveNow: 'Ansicht speichern',
  },
);
