import type { Language } from '../../../text/language.ts';

/** The texts of CodeMirror, in German. It has the English ones. */
const german: Readonly<Record<string, string>> = {
  Find: 'Suchen',
  Replace: 'Ersetzen',
  next: 'weiter',
  previous: 'zurück',
  all: 'alle',
  'match case': 'Groß-/Kleinschreibung',
  regexp: 'Regulärer Ausdruck',
  'by word': 'Ganze Wörter',
  replace: 'ersetzen',
  'replace all': 'alle ersetzen',
  close: 'schließen',
  'current match': 'aktueller Treffer',
  'replaced match on line $': 'Treffer in Zeile $ ersetzt',
  'replaced $ matches': '$ Treffer ersetzt',
  'on line': 'in Zeile',
  'Go to line': 'Zu Zeile',
  go: 'los',
  Diagnostics: 'Hinweise',
  'No diagnostics': 'Keine Hinweise',
  'Selection deleted': 'Auswahl gelöscht',
  'Control character': 'Steuerzeichen',
  '$ unchanged lines': '$ unveränderte Zeilen',
};

export const phrasesIn = (language: Language): Readonly<Record<string, string>> =>
  language === 'de' ? german : {};
