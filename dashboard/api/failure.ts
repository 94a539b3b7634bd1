import { texts, useText } from '../text/texts.ts';
import { isPressworkError } from './queries.ts';

const failureTexts = texts(
  {
    offline:
      'There is no connection to the server. Nothing you typed is lost. Check your connection and try again.',
    slow: 'The server did not answer in time. Try again.',
    tooMany: (seconds: number) => `Too many requests at once. Try again in ${seconds} s.`,
    maintenance: 'Presswork is being maintained and can only be read. Try again in a few minutes.',
    conflict:
      'Somebody else changed this while you had it open. Load the new version, then make your change again.',
    missing: 'This does not exist, or it was deleted.',
    forbidden: 'You do not have the rights for this. Ask an administrator of your organisation.',
    signedOut: 'You are signed out. Sign in again; what you typed stays here.',
    internal: (id: string) =>
      `Something went wrong on the server. Try again. If it stays like this, tell support this number: ${id}`,
    unknown: 'Something went wrong in this page. Reload it and try again.',
  },
  {
    offline:
      'Keine Verbindung zum Server. Ihre Eingaben sind nicht verloren. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    slow: 'Der Server hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
    tooMany: (seconds: number) => `Zu viele Anfragen auf einmal. Versuchen Sie es in ${seconds} s erneut.`,
    maintenance:
      'Presswork wird gewartet und kann gerade nur gelesen werden. Versuchen Sie es in einigen Minuten erneut.',
    conflict:
      'Jemand anderes hat dies geändert, während Sie es offen hatten. Laden Sie die neue Fassung und wiederholen Sie Ihre Änderung.',
    missing: 'Das gibt es nicht, oder es wurde gelöscht.',
    forbidden:
      'Ihnen fehlen die Rechte dafür. Wenden Sie sich an eine Person, die Ihre Organisation verwaltet.',
    signedOut: 'Sie sind abgemeldet. Melden Sie sich wieder an; Ihre Eingaben bleiben hier.',
    internal: (id: string) =>
      `Auf dem Server ist etwas schiefgegangen. Versuchen Sie es erneut. Bleibt es so, nennen Sie dem Support diese Nummer: ${id}`,
    unknown: 'Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu und versuchen Sie es erneut.',
  },
);

/** What to show for an error: what happened and what to do. */
export function useFailure(): (error: unknown) => string {
  const text = useText(failureTexts);
  return (error) => {
    if (!isPressworkError(error)) return text.unknown;
    const { code, status } = error;
    if (code === 'CONNECTION_FAILED') return text.offline;
    if (code === 'TIMEOUT') return text.slow;
    if (status === 429) return text.tooMany(Math.ceil(error.retryAfter ?? 60));
    if (code === 'MAINTENANCE') return text.maintenance;
    if (code === 'PRECONDITION_FAILED') return text.conflict;
    if (status === 401) return text.signedOut;
    if (status === 404 && code === 'NOT_FOUND') return text.missing;
    if (code === 'INSUFFICIENT_SCOPE' || code === 'FORBIDDEN') return text.forbidden;
    if (status >= 500) return text.internal(error.requestId ?? '–');
    return error.message;
  };
}

/** The API's message for each wrong field, by its name; a nested one is `faqs.0.question`. */
export const fieldMessages = (error: unknown): Readonly<Record<string, string>> =>
  isPressworkError(error) ? error.fields : {};
