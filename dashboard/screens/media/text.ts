import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Media', missing: 'This screen is not there yet.' },
  { title: 'Medien', missing: 'Diesen Bereich gibt es noch nicht.' },
);
