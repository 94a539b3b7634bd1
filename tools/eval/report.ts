import { stages } from '../../domain/pipeline/stages.ts';
import type { Tally, TopicResult } from './measure.ts';
import { languages } from './topics.ts';

export interface Head {
  readonly model: string;
  readonly provider: string;
  readonly date: string;
  /** What a million tokens cost, in any currency. */
  readonly prices: { readonly input: number; readonly output: number } | null;
}

type Value = string | number | null;

interface Table {
  readonly title: string;
  readonly rows: readonly Readonly<Record<string, Value>>[];
}

export interface Report extends Head {
  readonly tables: readonly Table[];
  readonly findings: TopicResult['findings'];
  readonly results: readonly TopicResult[];
}

export function createReport(head: Head, results: readonly TopicResult[]): Report {
  const groups = [...languages, 'all'].flatMap((name) => {
    const of = results.filter(({ language }) => name === 'all' || language === name);
    return of.length === 0 ? [] : [{ name, of }];
  });
  const ofStages = results.flatMap((result) => result.stages);
  const findings = results.flatMap((result) => result.findings);
  const texts = (title: string, which: 'answered' | 'stored'): Table => ({
    title,
    rows: groups.map(({ name, of }) => ({
      Language: name,
      ...textRow(sum(of.map((one) => one[which] ?? {}))),
    })),
  });
  return {
    ...head,
    tables: [
      {
        title: 'Stages',
        rows: stages
          .map((stage) => ({
            stage,
            tallies: ofStages.filter((of) => of.stage === stage).map(({ tally }) => tally),
          }))
          .filter(({ tallies }) => tallies.length > 0)
          .map(({ stage, tallies }) => ({ Stage: stage, ...stageRow(sum(tallies), head.prices) })),
      },
      {
        title: 'Topics',
        rows: groups.map(({ name, of }) => ({
          Language: name,
          ...topicRow(sum(of.map(({ topic }) => topic))),
        })),
      },
      texts('Texts as the model wrote them', 'answered'),
      texts('Texts as they were stored', 'stored'),
      {
        title: 'Findings',
        rows: [...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, of]) => ({
          Kind: kind,
          Number: of.length,
        })),
      },
    ],
    findings,
    results,
  };
}

const sum = (tallies: readonly Tally[]) => {
  const total = new Map<string, number>();
  for (const tally of tallies)
    for (const [name, value] of Object.entries(tally)) total.set(name, (total.get(name) ?? 0) + value);
  return (name: string): number => total.get(name) ?? 0;
};

type Sum = ReturnType<typeof sum>;

const mean = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** @returns the share without what is bad, or null of nothing */
const share = (bad: number, whole: number): string | null =>
  whole === 0 ? null : `${Math.floor((100 * (whole - bad)) / whole)} %`;

const stageRow = (of: Sum, prices: Head['prices']) => ({
  Topics: of('topics'),
  Failed: of('failed'),
  'Schema kept': share(of('answers') - of('fitting'), of('answers')),
  'Tokens in': of('inputTokens'),
  'Tokens out': of('outputTokens'),
  Seconds: of('seconds'),
  Cost: prices && (of('inputTokens') * prices.input + of('outputTokens') * prices.output) / 1_000_000,
});

const topicRow = (of: Sum) => ({
  Topics: of('topics'),
  'Duplicates found': share(of('duplicates') - of('found'), of('duplicates')),
  'Skipped rightly': share(of('skipped') - of('found'), of('skipped')),
  'Facts supported': share(of('untrue'), of('facts')),
  'Claims with evidence': share(of('unsupported'), of('claims')),
});

const textRow = (of: Sum) => ({
  Texts: of('texts'),
  Supported: share(of('unsupported'), of('sentences')),
  'Citations hold': share(of('wrong'), of('citations')),
  'Links inside resolve': share(of('dead'), of('inside')),
  'Links outside': of('outside'),
  'Words asked': mean(of('wordsAsked'), of('texts')),
  'Words written': mean(of('words'), of('texts')),
  'Reading ease': mean(of('ease'), of('texts')),
});

/** The most findings that the document lists; the JSON file has all. */
const LISTED = 60;

export function formatReport({ model, provider, date, prices, tables, findings }: Report): string {
  const priced =
    prices === null ? 'no prices given' : `${prices.input} and ${prices.output} for a million tokens`;
  const lines = findings
    .slice(0, LISTED)
    .map(({ topic, kind, detail }) => `- ${topic}, ${kind}: \`${detail.replaceAll(/[`\s]+/g, ' ')}\``);
  return `${[
    `# ${model}, ${date}`,
    `Format of the endpoint: ${provider}; ${priced}.`,
    ...tables.map(({ title, rows }) => `## ${title}\n\n${rows.length === 0 ? 'None.' : formatRows(rows)}`),
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    ...(findings.length > LISTED ? [`${findings.length - LISTED} more are in the JSON file.`] : []),
  ].join('\n\n')}\n`;
}

function formatRows(rows: Table['rows']): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => shown(row[name] ?? null)));
  return [names, names.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

const shown = (value: Value): string =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : (value ?? '–');
