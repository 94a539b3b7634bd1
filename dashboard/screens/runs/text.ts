import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Runs', missing: 'This screen is not there yet.' },
  { title: 'Durchläufe', missing: 'Diesen Bereich gibt es noch nicht.' },
);
