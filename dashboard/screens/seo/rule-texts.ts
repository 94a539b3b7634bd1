import { texts } from '../../text/texts.ts';

/** What each rule found, and what to do about it. */
export const ruleTexts = texts(
  {
    'broken-page': { name: 'A page does not open', advice: 'Repair the page, or take the links to it away.' },
    'redirect-chain': {
      name: 'Several redirects in a row',
      advice: 'Redirect straight to the last address.',
    },
    'redirect-loop': { name: 'Redirects in a circle', advice: 'Nobody sees this page. Repair its redirect.' },
    'duplicate-title': {
      name: 'Another page has the same title',
      advice: 'Give each page a title of its own.',
    },
    'missing-title': { name: 'No title', advice: 'Give the page a title.' },
    'missing-description': {
      name: 'No description',
      advice: 'Write a sentence that makes people open the page.',
    },
    noindex: { name: 'Hidden from search engines', advice: 'If that is not on purpose, take noindex away.' },
    'canonical-mismatch': {
      name: 'It names another address as its own',
      advice: 'Make the canonical address that of the page.',
    },
    'mixed-content': { name: 'Parts without encryption', advice: 'Load everything on the page by https.' },
    'orphan-page': { name: 'No page links to it', advice: 'Link to it from a page that fits.' },
    'blocked-by-robots': {
      name: 'Forbidden by robots.txt',
      advice: 'If that is not on purpose, change robots.txt.',
    },
    'title-length': {
      name: 'The title is too short or too long',
      advice: 'Between 10 and 60 characters are shown in full.',
    },
    'description-length': {
      name: 'The description is too short or too long',
      advice: 'Between 50 and 160 characters are shown in full.',
    },
    'heading-order': {
      name: 'A level of headings is left out',
      advice: 'Let each heading be one level below its parent.',
    },
    'missing-alt': { name: 'An image without an alternative text', advice: 'Say what the image shows.' },
    'thin-content': { name: 'Little text', advice: 'Write more, or join it with another article.' },
    'keyword-missing': {
      name: 'The keywords do not appear early',
      advice: 'Use one of them in the title or at the beginning.',
    },
    'long-paragraph': { name: 'A long paragraph', advice: 'Divide it: 150 words are plenty.' },
    'hard-to-read': { name: 'Hard to read', advice: 'Shorter sentences and shorter words help.' },
    'invalid-json-ld': { name: 'Structured data that cannot be read', advice: 'Repair the JSON-LD.' },
    'missing-required-property': {
      name: 'Structured data lacks a required property',
      advice: 'Add the property.',
    },
    'missing-recommended-property': {
      name: 'Structured data lacks a recommended property',
      advice: 'Add the property.',
    },
    'no-structured-data': { name: 'No structured data', advice: 'Describe the page by JSON-LD.' },
    'broken-link': { name: 'A link that leads nowhere', advice: 'Change the link, or take it away.' },
    'redirected-link': { name: 'A link that is redirected', advice: 'Link to the new address.' },
    'insecure-link': { name: 'A link without encryption', advice: 'Link by https.' },
    'lost-backlink': {
      name: 'A link from another site is gone',
      advice: 'Ask the site whether it was on purpose.',
    },
    'nofollow-backlink': {
      name: 'A link from another site does not count',
      advice: 'It is marked nofollow.',
    },
    'backlink-to-missing-page': {
      name: 'A link from another site leads nowhere',
      advice: 'Redirect its target to a page that exists.',
    },
    'orphan-article': { name: 'No article links to it', advice: 'Link to it from an article that fits.' },
    'missing-related-link': { name: 'Related articles are not linked', advice: 'Link them with each other.' },
    'broken-internal-link': {
      name: 'A link to an article that does not exist',
      advice: 'Change the link, or take it away.',
    },
    'competing-articles': {
      name: 'Articles compete for the same keywords',
      advice: 'Join them, or tell them apart.',
    },
  },
  {
    'broken-page': {
      name: 'Eine Seite öffnet sich nicht',
      advice: 'Reparieren Sie die Seite, oder entfernen Sie die Links auf sie.',
    },
    'redirect-chain': {
      name: 'Mehrere Weiterleitungen nacheinander',
      advice: 'Leiten Sie gleich zur letzten Adresse weiter.',
    },
    'redirect-loop': {
      name: 'Weiterleitungen im Kreis',
      advice: 'Niemand sieht diese Seite. Reparieren Sie ihre Weiterleitung.',
    },
    'duplicate-title': {
      name: 'Eine andere Seite hat denselben Titel',
      advice: 'Geben Sie jeder Seite einen eigenen Titel.',
    },
    'missing-title': { name: 'Kein Titel', advice: 'Geben Sie der Seite einen Titel.' },
    'missing-description': {
      name: 'Keine Beschreibung',
      advice: 'Schreiben Sie einen Satz, der Lust auf die Seite macht.',
    },
    noindex: {
      name: 'Vor Suchmaschinen verborgen',
      advice: 'Wenn das keine Absicht ist, entfernen Sie noindex.',
    },
    'canonical-mismatch': {
      name: 'Sie nennt eine andere Adresse als ihre eigene',
      advice: 'Nennen Sie als kanonische Adresse die der Seite.',
    },
    'mixed-content': {
      name: 'Teile ohne Verschlüsselung',
      advice: 'Laden Sie alles auf der Seite über https.',
    },
    'orphan-page': {
      name: 'Keine Seite verweist auf sie',
      advice: 'Verweisen Sie von einer passenden Seite auf sie.',
    },
    'blocked-by-robots': {
      name: 'Durch robots.txt verboten',
      advice: 'Wenn das keine Absicht ist, ändern Sie robots.txt.',
    },
    'title-length': {
      name: 'Der Titel ist zu kurz oder zu lang',
      advice: '10 bis 60 Zeichen werden ganz gezeigt.',
    },
    'description-length': {
      name: 'Die Beschreibung ist zu kurz oder zu lang',
      advice: '50 bis 160 Zeichen werden ganz gezeigt.',
    },
    'heading-order': {
      name: 'Eine Ebene der Überschriften fehlt',
      advice: 'Jede Überschrift gehört eine Ebene unter die vorige.',
    },
    'missing-alt': { name: 'Ein Bild ohne Alternativtext', advice: 'Sagen Sie, was das Bild zeigt.' },
    'thin-content': {
      name: 'Wenig Text',
      advice: 'Schreiben Sie mehr, oder verbinden Sie ihn mit einem anderen Artikel.',
    },
    'keyword-missing': {
      name: 'Die Stichwörter kommen nicht früh vor',
      advice: 'Nutzen Sie eines im Titel oder am Anfang.',
    },
    'long-paragraph': { name: 'Ein langer Absatz', advice: 'Teilen Sie ihn: 150 Wörter sind reichlich.' },
    'hard-to-read': { name: 'Schwer zu lesen', advice: 'Kürzere Sätze und kürzere Wörter helfen.' },
    'invalid-json-ld': {
      name: 'Strukturierte Daten, die sich nicht lesen lassen',
      advice: 'Reparieren Sie das JSON-LD.',
    },
    'missing-required-property': {
      name: 'Strukturierten Daten fehlt eine nötige Eigenschaft',
      advice: 'Ergänzen Sie die Eigenschaft.',
    },
    'missing-recommended-property': {
      name: 'Strukturierten Daten fehlt eine empfohlene Eigenschaft',
      advice: 'Ergänzen Sie die Eigenschaft.',
    },
    'no-structured-data': {
      name: 'Keine strukturierten Daten',
      advice: 'Beschreiben Sie die Seite durch JSON-LD.',
    },
    'broken-link': { name: 'Ein Link, der nirgends hinführt', advice: 'Ändern oder entfernen Sie den Link.' },
    'redirected-link': {
      name: 'Ein Link, der weitergeleitet wird',
      advice: 'Verweisen Sie auf die neue Adresse.',
    },
    'insecure-link': { name: 'Ein Link ohne Verschlüsselung', advice: 'Verweisen Sie über https.' },
    'lost-backlink': {
      name: 'Ein Link von einer anderen Website ist weg',
      advice: 'Fragen Sie dort nach, ob das Absicht war.',
    },
    'nofollow-backlink': {
      name: 'Ein Link von einer anderen Website zählt nicht',
      advice: 'Er ist als nofollow markiert.',
    },
    'backlink-to-missing-page': {
      name: 'Ein Link von einer anderen Website führt nirgends hin',
      advice: 'Leiten Sie sein Ziel auf eine Seite weiter, die es gibt.',
    },
    'orphan-article': {
      name: 'Kein Artikel verweist auf ihn',
      advice: 'Verweisen Sie von einem passenden Artikel auf ihn.',
    },
    'missing-related-link': {
      name: 'Verwandte Artikel sind nicht verbunden',
      advice: 'Verweisen Sie vom einen auf den anderen.',
    },
    'broken-internal-link': {
      name: 'Ein Link auf einen Artikel, den es nicht gibt',
      advice: 'Ändern oder entfernen Sie den Link.',
    },
    'competing-articles': {
      name: 'Artikel konkurrieren um dieselben Stichwörter',
      advice: 'Verbinden Sie sie, oder grenzen Sie sie ab.',
    },
  },
);
