import { texts } from '../../text/texts.ts';

export const screenTexts = texts(
  {
    title: 'Usage',
    plan: 'Plan',
    period: (from: string, to: string) => `From ${from} to ${to}, in UTC`,
    documents: 'Articles',
    media: 'Images',
    runs: 'Runs of the pipeline this month',
    endpoints: 'Webhook endpoints',
    atMost: (limit: string) => `${limit} at most`,
    of: (used: string, limit: string) => `${used} of ${limit}`,
    over: 'More than the plan includes is billed by use.',
    credits: 'Credits',
    balance: 'Balance',
    balanceAbout: 'Shared by all Sites of the organisation.',
    spent: 'Spent by this Site this month',
    cap: 'Monthly limit of this Site',
    noCap: 'There is no monthly limit for this Site.',
    left: (credits: string) => `${credits} are left this month.`,
    forecast: 'Forecast',
    unused: 'This Site spent no credits in the last 30 days, so there is nothing to forecast.',
    lasts: (days: number) =>
      days === 0
        ? 'At this rate the balance is used up today.'
        : days === 1
          ? 'At this rate the balance lasts about 1 day.'
          : `At this rate the balance lasts about ${days} days.`,
    computed: (credits: string, days: number, perDay: string) =>
      `Computed from the charges of this Site less its refunds: ${credits} credits in ${days} ${days === 1 ? 'day' : 'days'}, which is ${perDay} a day. Other Sites of the organisation use the same balance and are not counted.`,
    ledger: 'Ledger',
    ledgerAbout: 'Every change of the balance by this Site, and what was granted to the organisation.',
    kind: 'Kind',
    anyKind: 'All kinds',
    kinds: {
      grant: 'Granted',
      charge: 'Charged',
      refund: 'Refunded',
      purchase: 'Bought',
      refund_out: 'Paid back',
      dispute: 'Disputed',
    },
    stages: {
      classify: 'classify',
      extract: 'extract',
      plan: 'plan',
      generate: 'generate',
      improve: 'improve',
    },
    columns: { kind: 'Change', amount: 'Credits', balance: 'Balance', about: 'For', time: 'Time' },
    stage: (name: string) => `Stage ${name}`,
    run: 'Run',
    article: 'Article',
    none: 'No changes yet',
    noneAbout: 'Credits that are granted or spent are listed here.',
    noMatch: 'No change matches',
    noMatchAbout: 'Take a filter away.',
    clear: 'Clear filters',
  },
  {
    title: 'Verbrauch',
    plan: 'Tarif',
    period: (from: string, to: string) => `Vom ${from} bis ${to}, in UTC`,
    documents: 'Artikel',
    media: 'Bilder',
    runs: 'Durchläufe der Pipeline in diesem Monat',
    endpoints: 'Webhook-Endpunkte',
    atMost: (limit: string) => `höchstens ${limit}`,
    of: (used: string, limit: string) => `${used} von ${limit}`,
    over: 'Was über den Tarif hinausgeht, wird nach Verbrauch berechnet.',
    credits: 'Credits',
    balance: 'Guthaben',
    balanceAbout: 'Alle Sites der Organisation teilen es.',
    spent: 'In diesem Monat von dieser Site ausgegeben',
    cap: 'Monatsgrenze dieser Site',
    noCap: 'Für diese Site gibt es keine Monatsgrenze.',
    left: (credits: string) => `In diesem Monat bleiben ${credits}.`,
    forecast: 'Vorausschau',
    unused:
      'Diese Site hat in den letzten 30 Tagen keine Credits ausgegeben. Deshalb lässt sich nichts vorhersagen.',
    lasts: (days: number) =>
      days === 0
        ? 'Bei diesem Verbrauch ist das Guthaben heute aufgebraucht.'
        : days === 1
          ? 'Bei diesem Verbrauch reicht das Guthaben etwa 1 Tag.'
          : `Bei diesem Verbrauch reicht das Guthaben etwa ${days} Tage.`,
    computed: (credits: string, days: number, perDay: string) =>
      `Berechnet aus den Belastungen dieser Site abzüglich ihrer Erstattungen: ${credits} Credits in ${days} ${days === 1 ? 'Tag' : 'Tagen'}, also ${perDay} am Tag. Andere Sites der Organisation nutzen dasselbe Guthaben und sind nicht eingerechnet.`,
    ledger: 'Kontobuch',
    ledgerAbout: 'Jede Änderung des Guthabens durch diese Site, und Gutschriften für die Organisation.',
    kind: 'Art',
    anyKind: 'Alle Arten',
    kinds: {
      grant: 'Gutgeschrieben',
      charge: 'Belastet',
      refund: 'Erstattet',
      purchase: 'Gekauft',
      refund_out: 'Zurückgezahlt',
      dispute: 'Angefochten',
    },
    stages: {
      classify: 'Einordnen',
      extract: 'Auslesen',
      plan: 'Planen',
      generate: 'Schreiben',
      improve: 'Verbessern',
    },
    columns: { kind: 'Änderung', amount: 'Credits', balance: 'Guthaben', about: 'Für', time: 'Zeit' },
    stage: (name: string) => `Stufe ${name}`,
    run: 'Durchlauf',
    article: 'Artikel',
    none: 'Noch keine Änderungen',
    noneAbout: 'Hier stehen Credits, die gutgeschrieben oder ausgegeben werden.',
    noMatch: 'Keine Änderung passt',
    noMatchAbout: 'Nehmen Sie einen Filter weg.',
    clear: 'Filter aufheben',
  },
);
