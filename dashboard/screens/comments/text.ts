import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Comments', missing: 'This screen is not there yet.' },
  { title: 'Kommentare', missing: 'Diesen Bereich gibt es noch nicht.' },
);
