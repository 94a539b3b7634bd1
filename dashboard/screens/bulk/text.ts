import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Bulk job', missing: 'This screen is not there yet.' },
  { title: 'Sammelauftrag', missing: 'Diesen Bereich gibt es noch nicht.' },
);
