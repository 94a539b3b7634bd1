import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  {
    title: 'Calendar',
    clock: (zone: string) => `Times are on the clock of the Site (${zone}).`,
    clocks: (zone: string, there: string, here: string) =>
      `Times are on the clock of the Site (${zone}). It is ${there} there, and ${here} where you are.`,
    view: 'View',
    views: { month: 'Month', week: 'Week', list: 'List' },
    today: 'Today',
    before: { month: 'Previous month', week: 'Previous week', list: 'Previous month' },
    after: { month: 'Next month', week: 'Next week', list: 'Next month' },
    kinds: {
      published: 'Published',
      scheduled: 'Scheduled',
      edit: 'Scheduled changes',
      review: 'Review due',
    },
    overdue: 'Overdue',
    overdueAbout: (count: number) =>
      count === 1
        ? 'An article is overdue: its time has passed, and it is not published yet.'
        : `${count} articles are overdue: their time has passed, and they are not published yet.`,
    overdueHint:
      'Presswork publishes what is overdue as soon as its worker runs. You can also publish it in the editor.',
    cut: 'Not everything is shown: there is more than can be read at once. Articles that are missing here are in the list of articles.',
    none: 'Nothing in this time',
    noneAbout: 'Articles appear here when they are scheduled or published.',
    drafts: 'Show drafts',
    more: (count: number) => `${count} more`,
    moreOn: (count: number, day: string) => `${count} more on ${day}`,
    untitled: 'Untitled',
    hint: 'Drag a scheduled article to another day, or open it and set another time.',
  },
  {
    title: 'Kalender',
    clock: (zone) => `Die Zeiten gelten nach der Uhr der Site (${zone}).`,
    clocks: (zone, there, here) =>
      `Die Zeiten gelten nach der Uhr der Site (${zone}). Dort ist es ${there}, bei Ihnen ${here}.`,
    view: 'Ansicht',
    views: { month: 'Monat', week: 'Woche', list: 'Liste' },
    today: 'Heute',
    before: { month: 'Voriger Monat', week: 'Vorige Woche', list: 'Voriger Monat' },
    after: { month: 'Nächster Monat', week: 'Nächste Woche', list: 'Nächster Monat' },
    kinds: {
      published: 'Veröffentlicht',
      scheduled: 'Geplant',
      edit: 'Geplante Änderungen',
      review: 'Durchsicht fällig',
    },
    overdue: 'Überfällig',
    overdueAbout: (count) =>
      count === 1
        ? 'Ein Artikel ist überfällig: Seine Zeit ist vorbei, und er ist noch nicht veröffentlicht.'
        : `${count} Artikel sind überfällig: Ihre Zeit ist vorbei, und sie sind noch nicht veröffentlicht.`,
    overdueHint:
      'Presswork veröffentlicht Überfälliges, sobald sein Worker läuft. Sie können es auch im Editor veröffentlichen.',
    cut: 'Es ist nicht alles zu sehen: Es gibt mehr, als auf einmal gelesen werden kann. Was hier fehlt, steht in der Liste der Artikel.',
    none: 'Nichts in dieser Zeit',
    noneAbout: 'Artikel erscheinen hier, wenn sie geplant oder veröffentlicht werden.',
    drafts: 'Entwürfe zeigen',
    more: (count) => `${count} weitere`,
    moreOn: (count, day) => `${count} weitere am ${day}`,
    untitled: 'Ohne Titel',
    hint: 'Ziehen Sie einen geplanten Artikel auf einen anderen Tag, oder öffnen Sie ihn und setzen Sie eine andere Zeit.',
  },
);

export const moveTexts = texts(
  {
    own: 'On your clock',
    open: 'Open in the editor',
    newTime: 'New time',
    zone: (zone: string) => `On the clock of the Site (${zone})`,
    ownTime: (time: string) => `On your clock: ${time}`,
    move: 'Move',
    moved: (title: string, time: string) => `${title} is now scheduled for ${time}.`,
    never: (instead: string) =>
      `This time does not exist: the clocks of the Site are set forward over it. The same moment would be ${instead}.`,
    twice: 'This time occurs twice, because the clocks of the Site are set back. The first is meant.',
    past: 'This time has passed. Choose one in the future.',
    changed: (title: string, time: string) =>
      `Somebody else moved ${title} to ${time} while you had the calendar open. Your time is still in the field: move it there, or close this to leave it where it is.`,
    withdrawn: (title: string) =>
      `Somebody else published, withdrew or deleted ${title} while you had the calendar open. It cannot be moved any more.`,
  },
  {
    own: 'Nach Ihrer Uhr',
    open: 'Im Editor öffnen',
    newTime: 'Neue Zeit',
    zone: (zone) => `Nach der Uhr der Site (${zone})`,
    ownTime: (time) => `Nach Ihrer Uhr: ${time}`,
    move: 'Verschieben',
    moved: (title, time) => `${title} ist jetzt für ${time} geplant.`,
    never: (instead) =>
      `Diese Zeit gibt es nicht: Die Uhr der Site wird über sie hinweg vorgestellt. Derselbe Moment wäre ${instead}.`,
    twice: 'Diese Zeit gibt es zweimal, weil die Uhr der Site zurückgestellt wird. Gemeint ist die erste.',
    past: 'Diese Zeit ist vorbei. Wählen Sie eine in der Zukunft.',
    changed: (title, time) =>
      `Jemand anderes hat ${title} auf ${time} verschoben, während Sie den Kalender offen hatten. Ihre Zeit steht noch im Feld: Verschieben Sie dorthin, oder schließen Sie den Dialog, damit der Artikel bleibt, wo er ist.`,
    withdrawn: (title) =>
      `Jemand anderes hat ${title} veröffentlicht, zurückgezogen oder gelöscht, während Sie den Kalender offen hatten. Der Artikel lässt sich nicht mehr verschieben.`,
  },
);
