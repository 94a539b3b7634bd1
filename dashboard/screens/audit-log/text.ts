import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  { title: 'Audit log', missing: 'This screen is not there yet.' },
  { title: 'Änderungsprotokoll', missing: 'Diesen Bereich gibt es noch nicht.' },
);
