import type { Language } from '../sign-in/language.ts';
import type { DocumentFailure } from '../../../adapters/oauth/client-documents.ts';

/** The obstacle that keeps the page from asking the person, and from sending the browser back. */
export type Problem = DocumentFailure['failure'] | 'query' | 'redirect';

const en = {
  title: 'Give this program access?',
  program: 'Program',
  callsItself: 'It calls itself',
  unproven: 'Anybody can choose such a name. Compare the address above with the program that you use.',
  answerTo: 'The answer goes to',
  keyFor: 'The access would be for',
  of: 'of',
  whichSite: 'Which Site is the access for?',
  chooseSite: 'Choose the Site for the access.',
  couldDo: 'What the program could do',
  approvals:
    'What cannot be undone, such as deleting, needs your decision each time. The program acts in your name, and you see its key among the keys of the Site, where you can revoke it.',
  own: 'Approve only if you have just started this in the program yourself.',
  approve: 'Approve',
  deny: 'Deny',
  notDecided: 'Not decided yet',
  signOut: 'Sign out',
  failed: 'That did not work',
  request: 'Request',
  goBack: 'Go back to the program, and start again there.',
  problems: {
    query:
      'The program has not said which client it is, and where it expects the answer, or said so more than once.',
    redirect: 'The program expects the answer at an address that its own description does not name.',
    address: 'The address by which the program is known is not one that can be used.',
    unreachable: 'The description of the program cannot be reached.',
    status: 'There is no description of the program at its address.',
    type: 'The description of the program is not JSON.',
    content: 'The description of the program is not valid.',
  } as Readonly<Record<Problem, string>>,
  /** Instead of the API's message, by the code of an error. */
  errors: {
    FORBIDDEN:
      'Either you cannot give a program access (then ask an owner or admin of your organisation), or the form has expired. Start again in the program.',
  } as Readonly<Record<string, string>>,
};

export type ConsentTexts = typeof en;

const de: ConsentTexts = {
  title: 'Diesem Programm Zugriff geben?',
  program: 'Programm',
  callsItself: 'Es nennt sich',
  unproven:
    'Einen solchen Namen kann jeder wählen. Vergleichen Sie die Adresse darüber mit dem Programm, das Sie benutzen.',
  answerTo: 'Die Antwort geht an',
  keyFor: 'Der Zugriff wäre für',
  of: 'von',
  whichSite: 'Für welche Site ist der Zugriff?',
  chooseSite: 'Wählen Sie die Site für den Zugriff.',
  couldDo: 'Was das Programm könnte',
  approvals:
    'Was sich nicht rückgängig machen lässt, etwa Löschen, braucht jedes Mal Ihre Entscheidung. Das Programm handelt in Ihrem Namen; seinen Schlüssel sehen Sie bei den Schlüsseln der Site und können ihn dort widerrufen.',
  own: 'Genehmigen Sie das nur, wenn Sie es eben selbst in dem Programm begonnen haben.',
  approve: 'Genehmigen',
  deny: 'Ablehnen',
  notDecided: 'Noch nicht entschieden',
  signOut: 'Abmelden',
  failed: 'Das hat nicht geklappt',
  request: 'Anfrage',
  goBack: 'Gehen Sie zurück zum Programm und beginnen Sie dort noch einmal.',
  problems: {
    query:
      'Das Programm hat nicht gesagt, welches es ist und wo es die Antwort erwartet, oder es hat das mehrfach gesagt.',
    redirect:
      'Das Programm erwartet die Antwort an einer Adresse, die seine eigene Beschreibung nicht nennt.',
    address: 'Die Adresse, unter der das Programm bekannt ist, lässt sich nicht verwenden.',
    unreachable: 'Die Beschreibung des Programms ist nicht erreichbar.',
    status: 'Unter der Adresse des Programms gibt es keine Beschreibung.',
    type: 'Die Beschreibung des Programms ist kein JSON.',
    content: 'Die Beschreibung des Programms ist nicht gültig.',
  },
  errors: {
    FORBIDDEN:
      'Entweder können Sie keinem Programm Zugriff geben (bitten Sie dann einen Inhaber oder Administrator Ihrer Organisation), oder das Formular ist abgelaufen. Beginnen Sie im Programm noch einmal.',
    CONFLICT:
      'Zu viele Programme haben Zugriff auf diese Site. Einem, das 30 Tage nicht benutzt wird, wird er entzogen.',
    INVALID_REQUEST:
      'Die Anfrage ist nicht so, wie diese Seite sie sendet. Beginnen Sie im Programm noch einmal.',
    RATE_LIMIT_EXCEEDED:
      'Es gab zu viele Versuche. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    MAINTENANCE:
      'Der Dienst ist gerade nicht verfügbar. Bitte versuchen Sie es in einigen Minuten noch einmal.',
    INTERNAL_ERROR: 'Auf unserer Seite ist ein Fehler aufgetreten. Bitte versuchen Sie es noch einmal.',
  },
};

export const consentTexts: Readonly<Record<Language, ConsentTexts>> = { en, de };
