import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Settings', missing: 'This screen is not there yet.' },
  { title: 'Einstellungen', missing: 'Diesen Bereich gibt es noch nicht.' },
);
