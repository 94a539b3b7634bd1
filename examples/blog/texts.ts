/** Each text in English and in German. */
const texts = {
  skip: ['Skip to the content', 'Zum Inhalt'],
  categories: ['Categories', 'Rubriken'],
  search: ['Search', 'Suchen'],
  results: ['Search results', 'Suchergebnisse'],
  older: ['Older articles', 'Ältere Artikel'],
  newest: ['Newest articles', 'Neueste Artikel'],
  noArticles: ['There are no articles here.', 'Hier gibt es keine Artikel.'],
  by: ['By', 'Von'],
  updated: ['Updated', 'Aktualisiert am'],
  takeaways: ['In short', 'Kurz gesagt'],
  steps: ['Step by step', 'Schritt für Schritt'],
  questions: ['Questions and answers', 'Fragen und Antworten'],
  tags: ['Tags', 'Schlagwörter'],
  feed: ['Feed (RSS)', 'Feed (RSS)'],
  preview: ['This is a preview.', 'Das ist eine Vorschau.'],
  comments: ['Comments', 'Kommentare'],
  noComments: ['Nobody has commented yet.', 'Noch hat niemand kommentiert.'],
  write: ['Write a comment', 'Kommentar schreiben'],
  closed: ['Comments on this article are closed.', 'Die Kommentare zu diesem Artikel sind geschlossen.'],
  name: ['Name', 'Name'],
  email: ['E-mail (not shown)', 'E-Mail (wird nicht gezeigt)'],
  optional: ['E-mail (optional, not shown)', 'E-Mail (freiwillig, wird nicht gezeigt)'],
  comment: ['Comment', 'Kommentar'],
  send: ['Send', 'Absenden'],
  held: [
    'Thank you. Your comment appears once it has been read.',
    'Danke. Ihr Kommentar erscheint, sobald er gelesen wurde.',
  ],
  approved: ['Thank you. Your comment is published.', 'Danke. Ihr Kommentar ist veröffentlicht.'],
  incomplete: ['Please check what is marked.', 'Bitte prüfen Sie, was markiert ist.'],
  tooMany: ['Too many comments. Please try again later.', 'Zu viele Kommentare. Bitte später noch einmal.'],
  notTaken: ['Comments are no longer taken here.', 'Hier kann nicht mehr kommentiert werden.'],
  notFound: ['There is nothing here', 'Hier ist nichts'],
  notFoundHint: ['The page was moved or removed.', 'Die Seite wurde verschoben oder entfernt.'],
  refused: ['This cannot be taken', 'Das wird nicht angenommen'],
  refusedHint: ['Please go back and try again.', 'Bitte gehen Sie zurück und versuchen es noch einmal.'],
  failed: ['Something went wrong', 'Etwas ist schiefgegangen'],
  failedHint: ['It is our fault. Please try again.', 'Das liegt an uns. Bitte noch einmal versuchen.'],
  away: ['We will be right back', 'Wir sind gleich wieder da'],
  awayHint: ['Please try again in a minute.', 'Bitte versuchen Sie es in einer Minute noch einmal.'],
  home: ['To the first page', 'Zur ersten Seite'],
} as const;

export type Texts = Readonly<Record<keyof typeof texts, string>>;

const inLanguage = (index: 0 | 1): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, all]) => [name, all[index]])) as Texts;

const [english, german] = [inLanguage(0), inLanguage(1)];

/** German for German Sites, otherwise English. */
export const textsOf = (locale = 'en'): Texts => (/^de\b/i.test(locale) ? german : english);
