import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Webhooks', missing: 'This screen is not there yet.' },
  { title: 'Webhooks', missing: 'Diesen Bereich gibt es noch nicht.' },
);
