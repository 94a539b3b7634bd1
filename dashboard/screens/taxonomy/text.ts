import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Categories, tags and authors', missing: 'This screen is not there yet.' },
  { title: 'Kategorien, Schlagwörter und Autoren', missing: 'Diesen Bereich gibt es noch nicht.' },
);
