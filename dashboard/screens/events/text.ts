import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Events', missing: 'This screen is not there yet.' },
  { title: 'Ereignisse', missing: 'Diesen Bereich gibt es noch nicht.' },
);
