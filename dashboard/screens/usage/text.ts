import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Usage', missing: 'This screen is not there yet.' },
  { title: 'Verbrauch', missing: 'Diesen Bereich gibt es noch nicht.' },
);
