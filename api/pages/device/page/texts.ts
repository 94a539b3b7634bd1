import type { Language } from '../../sign-in/language.ts';

const en = {
  title: 'Sign a device in',
  enter: 'Enter the code shown on the device.',
  code: 'Code',
  continue: 'Continue',
  codeNotAccepted: 'Code not accepted',
  noSuchCode:
    'This code does not exist, or has expired. Compare it with the device. Codes are valid for 15 minutes, and the device can show a new one.',
  signOut: 'Sign out',
  give: 'Give this device a key?',
  compare: 'Continue only if the device shows this code:',
  device: 'Device',
  from: 'Requested from',
  at: 'Requested at',
  heldBy: 'Held by',
  agent: 'an AI agent',
  couldDo: 'What the key could do',
  decides: 'Approve or deny requests of AI agents',
  own: 'Approve only a sign-in that you started yourself. The key acts in your name until it is revoked.',
  approve: 'Approve',
  deny: 'Deny',
  notDecided: 'Not decided yet',
  keyFor: 'The key would be for',
  of: 'of',
  whichSite: 'Which Site is the key for?',
  chooseSite: 'Choose the Site for the key.',
  approved: 'Approved',
  approvedText: (device: string, site: string) =>
    `${device} receives its key for ${site} in a moment. You can close this page and return to the device.`,
  denied: 'Denied',
  deniedText: (device: string) => `${device} gets no key. You can close this page.`,
  failed: 'That did not work',
  request: 'Request',
  back: 'Back to entering a code',
  /** Instead of the API's message, by the code of an error. */
  errors: {} as Readonly<Record<string, string>>,
};

export type DeviceTexts = typeof en;

const de: DeviceTexts = {
  title: 'Ein Gerät anmelden',
  enter: 'Geben Sie den Code ein, den das Gerät anzeigt.',
  code: 'Code',
  continue: 'Weiter',
  codeNotAccepted: 'Code nicht angenommen',
  noSuchCode:
    'Diesen Code gibt es nicht, oder er ist abgelaufen. Vergleichen Sie ihn mit dem Gerät. Codes gelten 15 Minuten lang, und das Gerät kann einen neuen anzeigen.',
  signOut: 'Abmelden',
  give: 'Diesem Gerät einen Schlüssel geben?',
  compare: 'Fahren Sie nur fort, wenn das Gerät diesen Code anzeigt:',
  device: 'Gerät',
  from: 'Angefragt von',
  at: 'Angefragt am',
  heldBy: 'Benutzt von',
  agent: 'einem KI-Agenten',
  couldDo: 'Was der Schlüssel könnte',
  decides: 'Anfragen von KI-Agenten genehmigen oder ablehnen',
  own: 'Genehmigen Sie nur eine Anmeldung, die Sie selbst begonnen haben. Der Schlüssel handelt in Ihrem Namen, bis er widerrufen wird.',
  approve: 'Genehmigen',
  deny: 'Ablehnen',
  notDecided: 'Noch nicht entschieden',
  keyFor: 'Der Schlüssel wäre für',
  of: 'von',
  whichSite: 'Für welche Site ist der Schlüssel?',
  chooseSite: 'Wählen Sie die Site für den Schlüssel.',
  approved: 'Genehmigt',
  approvedText: (device, site) =>
    `${device} bekommt gleich seinen Schlüssel für ${site}. Sie können diese Seite schließen und zum Gerät zurückkehren.`,
  denied: 'Abgelehnt',
  deniedText: (device) => `${device} bekommt keinen Schlüssel. Sie können diese Seite schließen.`,
  failed: 'Das hat nicht geklappt',
  request: 'Anfrage',
  back: 'Zurück zur Eingabe eines Codes',
  errors: {
    CONFLICT: 'Über diese Anmeldung ist schon entschieden. Das Gerät kann eine neue beginnen.',
    FORBIDDEN:
      'Das geht so nicht: Entweder können Sie keinem Gerät einen Schlüssel geben (bitten Sie dann einen Inhaber oder Administrator Ihrer Organisation), oder das Formular ist abgelaufen. Öffnen Sie die Seite noch einmal.',
    INVALID_REQUEST:
      'Die Anfrage ist nicht so, wie diese Seite sie sendet. Öffnen Sie die Seite noch einmal.',
    RATE_LIMIT_EXCEEDED:
      'Es gab zu viele Versuche. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    MAINTENANCE:
      'Der Dienst ist gerade nicht verfügbar. Bitte versuchen Sie es in einigen Minuten noch einmal.',
    INTERNAL_ERROR: 'Auf unserer Seite ist ein Fehler aufgetreten. Bitte versuchen Sie es noch einmal.',
  },
};

export const deviceTexts: Readonly<Record<Language, DeviceTexts>> = { en, de };
