import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Home', missing: 'This screen is not there yet.' },
  { title: 'Start', missing: 'Diesen Bereich gibt es noch nicht.' },
);
