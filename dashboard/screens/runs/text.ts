import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  {
    title: 'Runs',
    about: 'Each run takes articles through the stages of the pipeline, from an idea to a text.',
    start: 'Start a run',
    none: 'No runs yet',
    noneAbout:
      'Give the pipeline a few topics, and it writes a draft for each. You edit and publish them like any other article.',
    articles: (count: number) => (count === 1 ? '1 article' : `${count} articles`),
    runOf: (time: string) => `Run of ${time}`,
    columns: { run: 'Run', status: 'Status', progress: 'Progress', credits: 'Credits', started: 'Started' },
    stages: (done: number, total: number) => `${done} of ${total} stages`,
    status: {
      queued: 'Waiting to start',
      running: 'Running',
      completed: 'Completed',
      partial: 'Ended early',
      failed: 'Failed',
      cancelled: 'Cancelled',
    },
  },
  {
    title: 'Durchläufe',
    about: 'Jeder Durchlauf führt Artikel durch die Stufen der Pipeline, von der Idee bis zum Text.',
    start: 'Durchlauf starten',
    none: 'Noch keine Durchläufe',
    noneAbout:
      'Geben Sie der Pipeline einige Themen, und sie schreibt zu jedem einen Entwurf. Sie bearbeiten und veröffentlichen ihn wie jeden anderen Artikel.',
    articles: (count) => (count === 1 ? '1 Artikel' : `${count} Artikel`),
    runOf: (time) => `Durchlauf vom ${time}`,
    columns: {
      run: 'Durchlauf',
      status: 'Status',
      progress: 'Fortschritt',
      credits: 'Credits',
      started: 'Begonnen',
    },
    stages: (done, total) => `${done} von ${total} Stufen`,
    status: {
      queued: 'Wartet auf den Beginn',
      running: 'Läuft',
      completed: 'Abgeschlossen',
      partial: 'Vorzeitig beendet',
      failed: 'Fehlgeschlagen',
      cancelled: 'Abgebrochen',
    },
  },
);

export const runTexts = texts(
  {
    missing: 'There is no such run',
    toList: 'Show all runs',
    cancel: 'Cancel run',
    cancelTitle: 'Cancel this run?',
    cancelAbout:
      'Each article finishes the stage that it is in, which is paid for. What was written stays, and a later run can go on from there.',
    cancelling: 'The run stops after the stages that are in progress.',
    goOn: 'Go on with what is left',
    goOnDone: 'A new run goes on with what this one left.',
    usage: 'Show balance and spend cap',
    reasons: {
      insufficient_credits:
        'The balance did not pay for the next stage. Add credits, then go on with what is left.',
      spend_cap_reached:
        'The Site has spent what its monthly cap allows. Raise the cap or wait for the next month, then go on with what is left.',
      cancelled: 'Somebody cancelled this run. What was written until then has stayed.',
      provider_unavailable:
        'The language model did not answer. Nothing was charged for the stages that failed. Try again later: go on with what is left.',
    },
    facts: {
      credits: 'Credits spent',
      tokens: 'Tokens',
      writer: 'Written by',
      started: 'Started',
      finished: 'Finished',
    },
    notYet: 'Not yet',
    writers: { offline: 'The built-in writer', llm: 'A language model' },
    progress: 'Progress',
    articles: 'Articles',
    stage: { classify: 'Classify', extract: 'Extract', plan: 'Plan', generate: 'Write', improve: 'Improve' },
    stageDone: (stage: string, number: number) => `${stage} done, ${number} of 5 stages`,
    stageNone: 'No stage done yet',
    untitled: 'Untitled',
    deleted: 'Deleted',
    requeue: 'Put back in the queue',
    requeueOf: (title: string) => `Put back in the queue: ${title}`,
    requeued: 'It is back in the queue. The next run goes on with it.',
    all: (count: number) => `Show all ${count} articles`,
  },
  {
    missing: 'Diesen Durchlauf gibt es nicht',
    toList: 'Alle Durchläufe zeigen',
    cancel: 'Durchlauf abbrechen',
    cancelTitle: 'Diesen Durchlauf abbrechen?',
    cancelAbout:
      'Jeder Artikel beendet noch die Stufe, in der er ist; sie wird bezahlt. Was geschrieben ist, bleibt, und ein späterer Durchlauf kann dort weitermachen.',
    cancelling: 'Der Durchlauf endet nach den Stufen, die gerade laufen.',
    goOn: 'Mit dem Rest weitermachen',
    goOnDone: 'Ein neuer Durchlauf macht mit dem Rest weiter.',
    usage: 'Guthaben und Ausgabengrenze zeigen',
    reasons: {
      insufficient_credits:
        'Das Guthaben reichte nicht für die nächste Stufe. Laden Sie Credits auf und machen Sie dann mit dem Rest weiter.',
      spend_cap_reached:
        'Die Site hat ihre monatliche Ausgabengrenze erreicht. Erhöhen Sie die Grenze oder warten Sie auf den nächsten Monat, und machen Sie dann mit dem Rest weiter.',
      cancelled: 'Jemand hat diesen Durchlauf abgebrochen. Was bis dahin geschrieben war, ist geblieben.',
      provider_unavailable:
        'Das Sprachmodell hat nicht geantwortet. Für die fehlgeschlagenen Stufen wurde nichts berechnet. Machen Sie später mit dem Rest weiter.',
    },
    facts: {
      credits: 'Verbrauchte Credits',
      tokens: 'Tokens',
      writer: 'Geschrieben von',
      started: 'Begonnen',
      finished: 'Beendet',
    },
    notYet: 'Noch nicht',
    writers: { offline: 'Eingebauter Schreiber', llm: 'Sprachmodell' },
    progress: 'Fortschritt',
    articles: 'Artikel',
    stage: {
      classify: 'Einordnen',
      extract: 'Einlesen',
      plan: 'Gliedern',
      generate: 'Schreiben',
      improve: 'Verbessern',
    },
    stageDone: (stage, number) => `${stage} erledigt, ${number} von 5 Stufen`,
    stageNone: 'Noch keine Stufe erledigt',
    untitled: 'Ohne Titel',
    deleted: 'Gelöscht',
    requeue: 'Wieder einreihen',
    requeueOf: (title) => `Wieder einreihen: ${title}`,
    requeued: 'Der Artikel ist wieder eingereiht. Der nächste Durchlauf macht mit ihm weiter.',
    all: (count) => `Alle ${count} Artikel zeigen`,
  },
);

export const startTexts = texts(
  {
    title: 'Start a run',
    what: 'What to work on',
    topics: 'New topics',
    topicsAbout: 'An article is written about each.',
    unfinished: 'Unfinished articles',
    unfinishedAbout: 'All articles that earlier runs left unfinished, or that were put back in the queue.',
    topic: (number: number) => `Topic ${number}`,
    topicTitle: 'Title',
    topicTitleHint: 'What the article is about. Paste several lines to make a topic of each.',
    keywords: 'Keywords',
    keywordsHint: 'Press Enter after each. Optional.',
    source: 'Address of a source',
    sourceHint: 'A page whose facts the article uses. Optional.',
    sources: 'More pages',
    sourcesHint: 'Further sources, one address a line, at most 20 in all. Optional.',
    notes: 'Notes',
    notesHint: 'What the article should say, and what to mind. Optional.',
    more: 'Keywords, sources and notes',
    add: 'Add a topic',
    remove: (number: number) => `Remove topic ${number}`,
    most: 'A run takes at most 50 topics.',
    forAll: 'For all topics',
    format: 'Format',
    formatNone: 'Chosen by the pipeline',
    category: 'Category',
    author: 'Author',
    submit: 'Start run',
    cancel: 'Cancel',
    cost: 'What it costs',
    costTopics: (most: string, count: number) =>
      count === 1
        ? `Up to ${most} credits. A topic that is not worth an article ends after the first stage, for 1 credit.`
        : `Up to ${most} credits for ${count} topics. A topic that is not worth an article ends after the first stage, for 1 credit.`,
    costUnfinished: 'Each article pays for the stages that are left: 5 to 19 credits.',
    stages: 'Classify 1 · Extract 1 · Plan 2 · Write 10 · Improve 5',
    balance: (credits: string) => `Balance: ${credits} credits`,
    cap: (left: string, limit: string) => `Spend cap of this month: ${left} of ${limit} credits left`,
    nothingLeft: 'No credits can be spent now, so that a run cannot start.',
    tooLittle: (available: string) =>
      `Only ${available} credits can be spent. The run ends early when they are used up; what is written by then stays, and you can go on later.`,
    refusals: {
      NOT_ENTITLED:
        'The plan of your organisation does not include runs. Somebody who manages the organisation can change the plan.',
      INSUFFICIENT_CREDITS:
        'The balance does not pay for the first stage. Somebody who manages the organisation can add credits.',
      SPEND_CAP_REACHED:
        'The Site has spent what its monthly cap allows. Raise the cap, or wait for the next month.',
      CONFLICT: 'There is nothing to do: no article is unfinished, or another run is working on all of them.',
      INSUFFICIENT_SCOPE:
        'Your role does not allow you to start runs. Ask an administrator of your organisation.',
    },
  },
  {
    title: 'Durchlauf starten',
    what: 'Woran gearbeitet wird',
    topics: 'Neue Themen',
    topicsAbout: 'Zu jedem wird ein Artikel geschrieben.',
    unfinished: 'Unfertige Artikel',
    unfinishedAbout:
      'Alle Artikel, die frühere Durchläufe unfertig ließen oder die wieder eingereiht wurden.',
    topic: (number) => `Thema ${number}`,
    topicTitle: 'Titel',
    topicTitleHint:
      'Wovon der Artikel handelt. Fügen Sie mehrere Zeilen ein, um aus jeder ein Thema zu machen.',
    keywords: 'Stichwörter',
    keywordsHint: 'Nach jedem die Eingabetaste drücken. Optional.',
    source: 'Adresse einer Quelle',
    sourceHint: 'Eine Seite, deren Fakten der Artikel verwendet. Optional.',
    sources: 'Weitere Seiten',
    sourcesHint: 'Weitere Quellen, eine Adresse je Zeile, höchstens 20 insgesamt. Optional.',
    notes: 'Notizen',
    notesHint: 'Was der Artikel sagen soll, und was zu beachten ist. Optional.',
    more: 'Stichwörter, Quellen und Notizen',
    add: 'Thema hinzufügen',
    remove: (number) => `Thema ${number} entfernen`,
    most: 'Ein Durchlauf nimmt höchstens 50 Themen.',
    forAll: 'Für alle Themen',
    format: 'Format',
    formatNone: 'Wählt die Pipeline',
    category: 'Kategorie',
    author: 'Autor',
    submit: 'Durchlauf starten',
    cancel: 'Abbrechen',
    cost: 'Was es kostet',
    costTopics: (most, count) =>
      count === 1
        ? `Bis zu ${most} Credits. Ein Thema, das keinen Artikel lohnt, endet nach der ersten Stufe für 1 Credit.`
        : `Bis zu ${most} Credits für ${count} Themen. Ein Thema, das keinen Artikel lohnt, endet nach der ersten Stufe für 1 Credit.`,
    costUnfinished: 'Jeder Artikel bezahlt die Stufen, die ihm fehlen: 5 bis 19 Credits.',
    stages: 'Einordnen 1 · Einlesen 1 · Gliedern 2 · Schreiben 10 · Verbessern 5',
    balance: (credits) => `Guthaben: ${credits} Credits`,
    cap: (left, limit) => `Ausgabengrenze dieses Monats: noch ${left} von ${limit} Credits`,
    nothingLeft: 'Zurzeit können keine Credits ausgegeben werden, deshalb beginnt kein Durchlauf.',
    tooLittle: (available) =>
      `Nur ${available} Credits können ausgegeben werden. Sind sie verbraucht, endet der Durchlauf vorzeitig; was bis dahin geschrieben ist, bleibt, und Sie können später weitermachen.`,
    refusals: {
      NOT_ENTITLED:
        'Der Tarif Ihrer Organisation enthält keine Durchläufe. Wer die Organisation verwaltet, kann den Tarif ändern.',
      INSUFFICIENT_CREDITS:
        'Das Guthaben reicht nicht für die erste Stufe. Wer die Organisation verwaltet, kann Credits aufladen.',
      SPEND_CAP_REACHED:
        'Die Site hat ihre monatliche Ausgabengrenze erreicht. Erhöhen Sie die Grenze, oder warten Sie auf den nächsten Monat.',
      CONFLICT:
        'Es gibt nichts zu tun: Kein Artikel ist unfertig, oder ein anderer Durchlauf bearbeitet schon alle.',
      INSUFFICIENT_SCOPE:
        'Ihre Rolle erlaubt es nicht, Durchläufe zu starten. Wenden Sie sich an eine Person, die Ihre Organisation verwaltet.',
    },
  },
);
