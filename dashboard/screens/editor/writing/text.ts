import { texts } from '../../../text/texts.ts';

export const writingTexts = texts(
  {
    title: 'Title',
    content: 'Text of the article, in Markdown',
    placeholder: 'Write here, in Markdown. Drop images anywhere.',
    marks: 'Formatting',
    strong: 'Bold',
    emphasis: 'Italic',
    heading: 'Heading',
    list: 'List',
    quote: 'Quotation',
    code: 'Code',
    link: 'Link',
    image: 'Image',
    problems: {
      missingAlt: 'This image has no description for people who do not see it. Write it into the brackets.',
      skippedLevel: 'This heading skips a level. Screen readers lose the outline.',
      emptyLinkText: 'This link has no text.',
      emptyLinkTarget: 'This link leads nowhere.',
    },
  },
  {
    title: 'Titel',
    content: 'Text des Artikels, in Markdown',
    placeholder: 'Schreiben Sie hier, in Markdown. Bilder können Sie überall ablegen.',
    marks: 'Auszeichnung',
    strong: 'Fett',
    emphasis: 'Kursiv',
    heading: 'Überschrift',
    list: 'Liste',
    quote: 'Zitat',
    code: 'Code',
    link: 'Link',
    image: 'Bild',
    problems: {
      missingAlt:
        'Diesem Bild fehlt eine Beschreibung für Menschen, die es nicht sehen. Schreiben Sie sie in die Klammern.',
      skippedLevel: 'Diese Überschrift überspringt eine Ebene. Screenreader verlieren die Gliederung.',
      emptyLinkText: 'Dieser Link hat keinen Text.',
      emptyLinkTarget: 'Dieser Link führt nirgendwohin.',
    },
  },
);
