import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Team', missing: 'This screen is not there yet.' },
  { title: 'Team', missing: 'Diesen Bereich gibt es noch nicht.' },
);
