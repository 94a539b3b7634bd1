import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Approvals', missing: 'This screen is not there yet.' },
  { title: 'Freigaben', missing: 'Diesen Bereich gibt es noch nicht.' },
);
