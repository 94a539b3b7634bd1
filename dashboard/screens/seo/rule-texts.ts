import { texts } from '../../text/texts.ts';

/** What each rule found, and what to do about it. */
export const ruleTexts = texts(
  {
    'broken-page': ['A page does not open', 'Repair the page, or take the links to it away.'],
    'redirect-chain': ['Several redirects in a row', 'Redirect straight to the last address.'],
    'redirect-loop': ['Redirects in a circle', 'Nobody sees this page. Repair its redirect.'],
    'duplicate-title': ['Another page has the same title', 'Give each page a title of its own.'],
    'missing-title': ['No title', 'Give the page a title.'],
    'missing-description': ['No description', 'Write a sentence that makes people open the page.'],
    noindex: ['Hidden from search engines', 'If that is not on purpose, take noindex away.'],
    'canonical-mismatch': [
      'It names another address as its own',
      'Make the canonical address that of the page.',
    ],
    'mixed-content': ['Parts without encryption', 'Load everything on the page by https.'],
    'orphan-page': ['No page links to it', 'Link to it from a page that fits.'],
    'blocked-by-robots': ['Forbidden by robots.txt', 'If that is not on purpose, change robots.txt.'],
    'title-length': ['The title is too short or too long', 'Between 10 and 60 characters are shown in full.'],
    'description-length': [
      'The description is too short or too long',
      'Between 50 and 160 characters are shown in full.',
    ],
    'heading-order': ['A level of headings is left out', 'Let each heading be one level below its parent.'],
    'missing-alt': ['An image without an alternative text', 'Say what the image shows.'],
    'thin-content': ['Little text', 'Write more, or join it with another article.'],
    'keyword-missing': [
      'The keywords do not appear early',
      'Use one of them in the title or at the beginning.',
    ],
    'long-paragraph': ['A long paragraph', 'Divide it: 150 words are plenty.'],
    'hard-to-read': ['Hard to read', 'Shorter sentences and shorter words help.'],
    'invalid-json-ld': ['Structured data that cannot be read', 'Repair the JSON-LD.'],
    'missing-required-property': ['Structured data lacks a required property', 'Add the property.'],
    'missing-recommended-property': ['Structured data lacks a recommended property', 'Add the property.'],
    'no-structured-data': ['No structured data', 'Describe the page by JSON-LD.'],
    'broken-link': ['A link that leads nowhere', 'Change the link, or take it away.'],
    'redirected-link': ['A link that is redirected', 'Link to the new address.'],
    'insecure-link': ['A link without encryption', 'Link by https.'],
    'lost-backlink': ['A link from another site is gone', 'Ask the site whether it was on purpose.'],
    'nofollow-backlink': ['A link from another site does not count', 'It is marked nofollow.'],
    'backlink-to-missing-page': [
      'A link from another site leads nowhere',
      'Redirect its target to a page that exists.',
    ],
    'orphan-article': ['No article links to it', 'Link to it from an article that fits.'],
    'missing-related-link': ['Related articles are not linked', 'Link them with each other.'],
    'broken-internal-link': ['A link to an article that does not exist', 'Change the link, or take it away.'],
    'competing-articles': ['Articles compete for the same keywords', 'Join them, or tell them apart.'],
  },
  {
    'broken-page': [
      'Eine Seite öffnet sich nicht',
      'Reparieren Sie die Seite, oder entfernen Sie die Links auf sie.',
    ],
    'redirect-chain': [
      'Mehrere Weiterleitungen nacheinander',
      'Leiten Sie gleich zur letzten Adresse weiter.',
    ],
    'redirect-loop': [
      'Weiterleitungen im Kreis',
      'Niemand sieht diese Seite. Reparieren Sie ihre Weiterleitung.',
    ],
    'duplicate-title': [
      'Eine andere Seite hat denselben Titel',
      'Geben Sie jeder Seite einen eigenen Titel.',
    ],
    'missing-title': ['Kein Titel', 'Geben Sie der Seite einen Titel.'],
    'missing-description': ['Keine Beschreibung', 'Schreiben Sie einen Satz, der Lust auf die Seite macht.'],
    noindex: ['Vor Suchmaschinen verborgen', 'Wenn das keine Absicht ist, entfernen Sie noindex.'],
    'canonical-mismatch': [
      'Sie nennt eine andere Adresse als ihre eigene',
      'Nennen Sie als kanonische Adresse die der Seite.',
    ],
    'mixed-content': ['Teile ohne Verschlüsselung', 'Laden Sie alles auf der Seite über https.'],
    'orphan-page': ['Keine Seite verweist auf sie', 'Verweisen Sie von einer passenden Seite auf sie.'],
    'blocked-by-robots': ['Durch robots.txt verboten', 'Wenn das keine Absicht ist, ändern Sie robots.txt.'],
    'title-length': ['Der Titel ist zu kurz oder zu lang', '10 bis 60 Zeichen werden ganz gezeigt.'],
    'description-length': [
      'Die Beschreibung ist zu kurz oder zu lang',
      '50 bis 160 Zeichen werden ganz gezeigt.',
    ],
    'heading-order': [
      'Eine Ebene der Überschriften fehlt',
      'Jede Überschrift gehört eine Ebene unter die vorige.',
    ],
    'missing-alt': ['Ein Bild ohne Alternativtext', 'Sagen Sie, was das Bild zeigt.'],
    'thin-content': ['Wenig Text', 'Schreiben Sie mehr, oder verbinden Sie ihn mit einem anderen Artikel.'],
    'keyword-missing': ['Die Stichwörter kommen nicht früh vor', 'Nutzen Sie eines im Titel oder am Anfang.'],
    'long-paragraph': ['Ein langer Absatz', 'Teilen Sie ihn: 150 Wörter sind reichlich.'],
    'hard-to-read': ['Schwer zu lesen', 'Kürzere Sätze und kürzere Wörter helfen.'],
    'invalid-json-ld': ['Strukturierte Daten, die sich nicht lesen lassen', 'Reparieren Sie das JSON-LD.'],
    'missing-required-property': [
      'Strukturierten Daten fehlt eine nötige Eigenschaft',
      'Ergänzen Sie die Eigenschaft.',
    ],
    'missing-recommended-property': [
      'Strukturierten Daten fehlt eine empfohlene Eigenschaft',
      'Ergänzen Sie die Eigenschaft.',
    ],
    'no-structured-data': ['Keine strukturierten Daten', 'Beschreiben Sie die Seite durch JSON-LD.'],
    'broken-link': ['Ein Link, der nirgends hinführt', 'Ändern oder entfernen Sie den Link.'],
    'redirected-link': ['Ein Link, der weitergeleitet wird', 'Verweisen Sie auf die neue Adresse.'],
    'insecure-link': ['Ein Link ohne Verschlüsselung', 'Verweisen Sie über https.'],
    'lost-backlink': [
      'Ein Link von einer anderen Website ist weg',
      'Fragen Sie dort nach, ob das Absicht war.',
    ],
    'nofollow-backlink': ['Ein Link von einer anderen Website zählt nicht', 'Er ist als nofollow markiert.'],
    'backlink-to-missing-page': [
      'Ein Link von einer anderen Website führt nirgends hin',
      'Leiten Sie sein Ziel auf eine Seite weiter, die es gibt.',
    ],
    'orphan-article': ['Kein Artikel verweist auf ihn', 'Verweisen Sie von einem passenden Artikel auf ihn.'],
    'missing-related-link': [
      'Verwandte Artikel sind nicht verbunden',
      'Verweisen Sie vom einen auf den anderen.',
    ],
    'broken-internal-link': [
      'Ein Link auf einen Artikel, den es nicht gibt',
      'Ändern oder entfernen Sie den Link.',
    ],
    'competing-articles': [
      'Artikel konkurrieren um dieselben Stichwörter',
      'Verbinden Sie sie, oder grenzen Sie sie ab.',
    ],
  },
);
