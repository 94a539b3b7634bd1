import { stages } from '../../domain/pipeline/stages.ts';
import type { Stage } from '../../domain/pipeline/stages.ts';
import { duplicateRecognition, share } from './measures/duplicates.ts';
import { average } from './measures/text.ts';
import type { Finding, Part, StageFigures, TextFigures, TopicResult } from './result.ts';
import { languages } from './topics.ts';

/** What a million tokens cost, in any currency. */
export interface Prices {
  readonly input: number | null;
  readonly output: number | null;
}

export interface Head {
  readonly model: string;
  readonly provider: string;
  readonly date: string;
  readonly stage: Stage;
  readonly prices: Prices;
}

export interface Report extends Head {
  readonly topics: number;
  readonly stages: readonly StageLine[];
  readonly groups: readonly GroupLine[];
  readonly findings: readonly Finding[];
}

interface StageLine {
  readonly stage: Stage;
  readonly topics: number;
  readonly failed: number;
  readonly schemaKept: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly seconds: number;
  readonly cost: number | null;
}

/** The topics of a language, or all of them. */
interface GroupLine {
  readonly group: string;
  readonly topics: number;
  readonly duplicates: ReturnType<typeof duplicateRecognition>;
  readonly factsSupported: number | null;
  readonly answered: TextLine;
  readonly stored: TextLine;
  readonly wordsAsked: number | null;
}

interface TextLine {
  readonly texts: number;
  readonly supported: number | null;
  readonly citationPrecision: number | null;
  readonly linksInside: number | null;
  readonly linksOutside: number;
  readonly words: number | null;
  readonly readingEase: number | null;
}

export function createReport(head: Head, results: readonly TopicResult[]): Report {
  const groups = languages.map(
    (language) => [language, results.filter((one) => one.language === language)] as const,
  );
  return {
    ...head,
    topics: results.length,
    stages: stages.slice(0, stages.indexOf(head.stage) + 1).map((stage) =>
      stageLine(
        stage,
        results.flatMap((one) => one.stages.filter((of) => of.stage === stage)),
        head.prices,
      ),
    ),
    groups: [...groups.filter(([, of]) => of.length > 0), ['all', results] as const].map(([group, of]) =>
      groupLine(group, of),
    ),
    findings: results.flatMap(({ findings }) => findings),
  };
}

function stageLine(stage: Stage, figures: readonly StageFigures[], prices: Prices): StageLine {
  const sum = (of: (one: StageFigures) => number): number =>
    figures.reduce((total, one) => total + of(one), 0);
  const tokens = (of: (one: StageFigures) => number | null): number | null =>
    figures.some((one) => of(one) !== null) ? sum((one) => of(one) ?? 0) : null;
  const inputTokens = tokens((one) => one.inputTokens);
  const outputTokens = tokens((one) => one.outputTokens);
  const isPriced = prices.input !== null && prices.output !== null && inputTokens !== null;
  return {
    stage,
    topics: figures.length,
    failed: sum(({ failed }) => (failed ? 1 : 0)),
    schemaKept: share(
      sum(({ fitting }) => fitting),
      sum(({ answers }) => answers),
    ),
    inputTokens,
    outputTokens,
    seconds: sum(({ seconds }) => seconds),
    cost: isPriced
      ? (inputTokens * (prices.input ?? 0) + (outputTokens ?? 0) * (prices.output ?? 0)) / 1_000_000
      : null,
  };
}

function groupLine(group: string, results: readonly TopicResult[]): GroupLine {
  const texts = (of: (one: TopicResult) => TextFigures | null): readonly TextFigures[] =>
    results.flatMap((one) => of(one) ?? []);
  const asked = results.filter(({ answered }) => answered !== null).map(({ wordsAsked }) => wordsAsked);
  return {
    group,
    topics: results.length,
    duplicates: duplicateRecognition(results),
    factsSupported: shareOf(results.flatMap(({ facts }) => facts ?? [])),
    answered: textLine(texts(({ answered }) => answered)),
    stored: textLine(texts(({ stored }) => stored)),
    wordsAsked: average(asked),
  };
}

const textLine = (texts: readonly TextFigures[]): TextLine => ({
  texts: texts.length,
  supported: shareOf(texts.map(({ supported }) => supported)),
  citationPrecision: shareOf(texts.map(({ citations }) => citations)),
  linksInside: shareOf(texts.map(({ linksInside }) => linksInside)),
  linksOutside: texts.reduce((sum, { linksOutside }) => sum + linksOutside, 0),
  words: average(texts.map(({ words }) => words)),
  readingEase: average(texts.flatMap(({ readingEase }) => readingEase ?? [])),
});

const shareOf = (parts: readonly Part[]): number | null =>
  share(
    parts.reduce((sum, { good }) => sum + good, 0),
    parts.reduce((sum, { of }) => sum + of, 0),
  );

/** The most findings that the document lists; the JSON file has all. */
const LISTED = 60;

export function formatReport(report: Report): string {
  const { model, provider, date, stage, topics, prices, findings } = report;
  const priced =
    prices.input === null || prices.output === null
      ? 'no prices given'
      : `${prices.input} and ${prices.output} for a million tokens in and out`;
  const kinds = Map.groupBy(findings, ({ kind }) => kind);
  return `${[
    `# ${model}, ${date}`,
    `${topics} topics up to the stage \`${stage}\`; format of the endpoint: ${provider}; ${priced}.`,
    '## Stages',
    table(
      ['Stage', 'Topics', 'Failed', 'Schema kept', 'Tokens in', 'Tokens out', 'Seconds', 'Cost'],
      report.stages.map((line) => [
        line.stage,
        line.topics,
        line.failed,
        percent(line.schemaKept),
        whole(line.inputTokens),
        whole(line.outputTokens),
        line.seconds.toFixed(1),
        line.cost === null ? '–' : line.cost.toFixed(4),
      ]),
    ),
    '## Topics',
    table(
      [
        'Language',
        'Topics',
        'Duplicates found',
        'Skipped rightly',
        'Facts supported',
        'Texts',
        'Words asked',
      ],
      report.groups.map(({ group, duplicates, ...line }) => [
        group,
        line.topics,
        percent(duplicates.recall),
        percent(duplicates.precision),
        percent(line.factsSupported),
        line.answered.texts,
        whole(line.wordsAsked),
      ]),
    ),
    ...(['answered', 'stored'] as const).flatMap((which) => [
      which === 'answered' ? '## Texts as the model wrote them' : '## Texts as they were stored',
      table(
        [
          'Language',
          'Supported',
          'Citations hold',
          'Links inside resolve',
          'Links outside',
          'Words',
          'Reading ease',
        ],
        report.groups.map(({ group, [which]: line }) => [
          group,
          percent(line.supported),
          percent(line.citationPrecision),
          percent(line.linksInside),
          line.linksOutside,
          whole(line.words),
          whole(line.readingEase),
        ]),
      ),
    ]),
    '## Findings',
    findings.length === 0
      ? 'None.'
      : table(
          ['Kind', 'Number'],
          [...kinds].map(([kind, of]) => [kind, of.length]),
        ),
    ...(findings.length === 0
      ? []
      : [
          findings
            .slice(0, LISTED)
            .map(({ topic, kind, detail }) => `- ${topic}, ${kind}: ${JSON.stringify(detail)}`)
            .join('\n'),
        ]),
    ...(findings.length > LISTED ? [`${findings.length - LISTED} more are in the JSON file.`] : []),
  ].join('\n\n')}\n`;
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const percent = (value: number | null): string => (value === null ? '–' : `${Math.round(value * 100)} %`);

const whole = (value: number | null): string => (value === null ? '–' : Math.round(value).toString());
