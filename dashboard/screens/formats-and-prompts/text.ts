import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Formats and prompts', missing: 'This screen is not there yet.' },
  { title: 'Formate und Prompts', missing: 'Diesen Bereich gibt es noch nicht.' },
);
