import { texts } from '../text/texts.ts';

export const testTexts = texts(
  {
    title: (name: string) => `Test of “${name}”`,
    testing: 'The other system is being called …',
    works: 'It works',
    fails: 'It does not work yet',
    again: 'Test again',
    close: 'Close',
  },
  {
    title: (name: string) => `Prüfung von „${name}“`,
    testing: 'Das andere System wird aufgerufen …',
    works: 'Es funktioniert',
    fails: 'Es funktioniert noch nicht',
    again: 'Erneut prüfen',
    close: 'Schließen',
  },
);
