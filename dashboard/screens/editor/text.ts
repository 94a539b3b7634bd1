import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Article', missing: 'This screen is not there yet.' },
  { title: 'Artikel', missing: 'Diesen Bereich gibt es noch nicht.' },
);
