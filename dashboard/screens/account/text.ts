import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Your account', missing: 'This screen is not there yet.' },
  { title: 'Ihr Konto', missing: 'Diesen Bereich gibt es noch nicht.' },
);
