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
