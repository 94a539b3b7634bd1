import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Keys and devices', missing: 'This screen is not there yet.' },
  { title: 'Schlüssel und Geräte', missing: 'Diesen Bereich gibt es noch nicht.' },
);
