import { texts } from '../../text/texts.ts';

const articles = (count: number): string => (count === 1 ? '1 article' : `${count} articles`);

export const bulkTexts = texts(
  {
    label: 'Actions for the selected articles',
    selected: (count: number) => `${articles(count)} selected`,
    tooMany: 'At most 500 articles at once. Select fewer.',
    clear: 'Clear selection',
    more: 'More',
    publish: 'Publish',
    unpublish: 'Unpublish …',
    schedule: 'Schedule …',
    set_category: 'Set category …',
    set_author: 'Set author …',
    add_tags: 'Add tags …',
    remove_tags: 'Remove tags …',
    push: 'Push to another system …',
    delete: 'Delete …',
    category: 'Category',
    author: 'Author',
    tags: 'Tags',
    noCategory: 'Leave it empty to take the category away.',
    noAuthor: 'Leave it empty to take the author away.',
    apply: (count: number) => `Apply to ${articles(count)}`,
    unpublishTitle: (count: number) => `Unpublish ${articles(count)}?`,
    unpublishAbout:
      'The published ones become drafts, which readers do not see. Changes to them that are not published yet are discarded. They cannot be brought back.',
    unpublishNow: (count: number) => `Unpublish ${articles(count)}`,
    deleteTitle: (count: number) => `Delete ${articles(count)}?`,
    deleteAbout:
      'They are deleted with their comments and unpublished changes. The addresses of published ones no longer work. This cannot be undone.',
    deleteNow: (count: number) => `Delete ${articles(count)}`,
    progress: (done: number, all: number) => `${done} of ${all} done`,
    running: 'Working on the articles …',
    queued: 'Waiting for other bulk jobs to end …',
    finished: (done: number, failed: number) =>
      failed === 0
        ? `Done: ${articles(done)}.`
        : `Done: ${articles(done)}. Not done: ${failed}, for these reasons:`,
    stopped: (done: number, waiting: number) => `Stopped: ${done} done, ${waiting} not begun.`,
    stop: 'Stop',
    details: 'Show the job',
    close: 'Close',
    another: 'An article that is not loaded',
  },
  {
    label: 'Aktionen für die ausgewählten Artikel',
    selected: (count: number) => `${count} Artikel ausgewählt`,
    tooMany: 'Höchstens 500 Artikel auf einmal. Wählen Sie weniger aus.',
    clear: 'Auswahl aufheben',
    more: 'Mehr',
    publish: 'Veröffentlichen',
    unpublish: 'Zurückziehen …',
    schedule: 'Planen …',
    set_category: 'Kategorie setzen …',
    set_author: 'Autor setzen …',
    add_tags: 'Schlagwörter hinzufügen …',
    remove_tags: 'Schlagwörter entfernen …',
    push: 'An ein anderes System übertragen …',
    delete: 'Löschen …',
    category: 'Kategorie',
    author: 'Autor',
    tags: 'Schlagwörter',
    noCategory: 'Lassen Sie das Feld leer, um die Kategorie zu entfernen.',
    noAuthor: 'Lassen Sie das Feld leer, um den Autor zu entfernen.',
    apply: (count: number) => `Auf ${count} Artikel anwenden`,
    unpublishTitle: (count: number) => `${count} Artikel zurückziehen?`,
    unpublishAbout:
      'Die veröffentlichten werden zu Entwürfen, die Leser nicht sehen. Noch nicht veröffentlichte Änderungen an ihnen werden verworfen. Sie lassen sich nicht wiederherstellen.',
    unpublishNow: (count: number) => `${count} Artikel zurückziehen`,
    deleteTitle: (count: number) => `${count} Artikel löschen?`,
    deleteAbout:
      'Sie werden mit ihren Kommentaren und unveröffentlichten Änderungen gelöscht. Die Adressen veröffentlichter Artikel sind nicht mehr erreichbar. Das lässt sich nicht rückgängig machen.',
    deleteNow: (count: number) => `${count} Artikel löschen`,
    progress: (done: number, all: number) => `${done} von ${all} erledigt`,
    running: 'Die Artikel werden bearbeitet …',
    queued: 'Wartet auf das Ende anderer Sammelaufträge …',
    finished: (done: number, failed: number) =>
      failed === 0
        ? `Erledigt: ${done} Artikel.`
        : `Erledigt: ${done} Artikel. Nicht erledigt: ${failed}, aus diesen Gründen:`,
    stopped: (done: number, waiting: number) => `Angehalten: ${done} erledigt, ${waiting} nicht begonnen.`,
    stop: 'Anhalten',
    details: 'Auftrag anzeigen',
    close: 'Schließen',
    another: 'Ein Artikel, der nicht geladen ist',
  },
);
