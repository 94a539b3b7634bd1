import type { Language } from './language.ts';

/** The words of the pages for signing in. */
export interface SignInTexts {
  readonly signIn: string;
  readonly notSignedIn: string;
  readonly forDevice: string;
  readonly email: string;
  readonly password: string;
  readonly forgotten: string;
  readonly wrongPassword: string;
  readonly failed: string;
  readonly back: string;
  readonly request: string;
  readonly code: string;
  readonly codeHint: string;
  readonly continue: string;
  readonly wrongCode: string;
  readonly newPassword: string;
  readonly newPasswordFor: string;
  readonly passwordRule: string;
  readonly repeat: string;
  readonly setPassword: string;
  readonly tooShort: string;
  readonly leaked: string;
  readonly tooLong: string;
  readonly different: string;
  readonly passwordSet: string;
  readonly passwordSetText: string;
  readonly linkEnded: string;
  readonly resetLinkEndedText: string;
  readonly signInLinkEndedText: string;
  /** Instead of the API's message, by the code of an error. */
  readonly errors: Readonly<Record<string, string>>;
}

export const texts: Readonly<Record<Language, SignInTexts>> = {
  en: {
    signIn: 'Sign in',
    notSignedIn: 'Not signed in',
    forDevice: 'After that you can decide whether the device gets a key.',
    email: 'E-mail address',
    password: 'Password',
    forgotten:
      'No password, or forgotten it? An administrator of your organisation can make a link for you to set one.',
    wrongPassword: 'The e-mail address or password is wrong.',
    failed: 'That did not work',
    back: 'Back to signing in',
    request: 'Request',
    code: 'Code',
    codeHint: 'Enter the code that your authenticator app shows, or one of your recovery codes.',
    continue: 'Continue',
    wrongCode:
      'The code is wrong, or was used before. Wait for the next code in your app, and try again. After 20 wrong codes, only a recovery code is accepted for an hour.',
    newPassword: 'New password',
    newPasswordFor: 'Set a new password for',
    passwordRule:
      'It must have at least 12 characters, and not be known from leaked passwords. Three or four unrelated words are good.',
    repeat: 'Repeat the new password',
    setPassword: 'Set password',
    tooShort: 'The password must have at least 12 characters.',
    tooLong: 'The password must have at most 1,000 characters.',
    leaked:
      'This password is known from leaked passwords. Choose another one, such as three or four unrelated words.',
    different: 'The two passwords differ. Enter the same one twice.',
    passwordSet: 'Your password is set',
    passwordSetText: 'You are signed out everywhere. Sign in with the new password.',
    linkEnded: 'This link no longer works',
    resetLinkEndedText:
      'It was used, has expired after 24 hours, or was replaced by a newer one. Ask an administrator of your organisation for a new link.',
    signInLinkEndedText:
      'It works once, for 15 minutes, and on this machine only. Start Presswork again to get a new one.',
    errors: {},
  },
  de: {
    signIn: 'Anmelden',
    notSignedIn: 'Nicht angemeldet',
    forDevice: 'Danach können Sie entscheiden, ob das Gerät einen Schlüssel bekommt.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    forgotten:
      'Kein Passwort, oder vergessen? Ein Administrator Ihrer Organisation kann Ihnen einen Link geben, mit dem Sie eines festlegen.',
    wrongPassword: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    failed: 'Das hat nicht geklappt',
    back: 'Zurück zur Anmeldung',
    request: 'Anfrage',
    code: 'Code',
    codeHint:
      'Geben Sie den Code ein, den Ihre Authenticator-App anzeigt, oder einen Ihrer Wiederherstellungscodes.',
    continue: 'Weiter',
    wrongCode:
      'Der Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten Code in Ihrer App und versuchen Sie es noch einmal. Nach 20 falschen Codes gilt eine Stunde lang nur ein Wiederherstellungscode.',
    newPassword: 'Neues Passwort',
    newPasswordFor: 'Legen Sie ein neues Passwort fest für',
    passwordRule:
      'Es muss mindestens 12 Zeichen haben und darf nicht aus einem Leck bekannt sein. Drei oder vier Wörter ohne Zusammenhang sind gut.',
    repeat: 'Neues Passwort wiederholen',
    setPassword: 'Passwort festlegen',
    tooShort: 'Das Passwort muss mindestens 12 Zeichen haben.',
    tooLong: 'Das Passwort darf höchstens 1.000 Zeichen haben.',
    leaked:
      'Dieses Passwort ist aus einem Leck bekannt. Wählen Sie ein anderes, zum Beispiel drei oder vier Wörter ohne Zusammenhang.',
    different: 'Die beiden Passwörter sind verschieden. Geben Sie zweimal dasselbe ein.',
    passwordSet: 'Ihr Passwort ist festgelegt',
    passwordSetText: 'Sie sind überall abgemeldet. Melden Sie sich mit dem neuen Passwort an.',
    linkEnded: 'Dieser Link funktioniert nicht mehr',
    resetLinkEndedText:
      'Er wurde verwendet, ist nach 24 Stunden abgelaufen oder wurde durch einen neueren ersetzt. Bitten Sie einen Administrator Ihrer Organisation um einen neuen Link.',
    signInLinkEndedText:
      'Er gilt einmal, 15 Minuten lang und nur auf diesem Rechner. Starten Sie Presswork neu, um einen neuen zu bekommen.',
    errors: {
      RATE_LIMIT_EXCEEDED:
        'Es gab zu viele Versuche. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
      FORBIDDEN:
        'Dieses Formular kann nicht angenommen werden: Es ist abgelaufen, oder Ihr Browser hat das Cookie dieser Seite nicht gesendet. Erlauben Sie Cookies und öffnen Sie die Seite noch einmal, über https.',
      INVALID_REQUEST:
        'Die Anfrage ist nicht so, wie diese Seite sie sendet. Öffnen Sie die Seite noch einmal.',
      MAINTENANCE:
        'Der Dienst ist gerade nicht verfügbar. Bitte versuchen Sie es in einigen Minuten noch einmal.',
      INTERNAL_ERROR: 'Auf unserer Seite ist ein Fehler aufgetreten. Bitte versuchen Sie es noch einmal.',
    },
  },
};
