import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Calendar', missing: 'This screen is not there yet.' },
  { title: 'Kalender', missing: 'Diesen Bereich gibt es noch nicht.' },
);
