import type { Stage } from '../../domain/pipeline/stages.ts';
import { answeredClaims, answeredFacts, answeredText } from './answers.ts';
import type { Answer } from './answers.ts';
import type { EvalBlog } from './blog.ts';
import { checkLinks } from './measures/links.ts';
import { readingEase } from './measures/reading-ease.ts';
import { checkSentences, sayTheSame } from './measures/support.ts';
import { countWords, withoutCitations } from './measures/text.ts';
import type { EvalTopic, Language } from './topics.ts';

/** What a topic went through. */
export interface Course {
  readonly topic: EvalTopic;
  readonly urls: readonly string[];
  readonly status: string;
  /** Whether the first stage said that it is not worth an article. */
  readonly isSkipped: boolean;
  /** The text that the product stored. */
  readonly content: string | null;
  readonly wordsAsked: number;
  readonly stages: readonly StageCourse[];
}

export interface StageCourse {
  readonly stage: Stage;
  readonly failed: boolean;
  readonly seconds: number;
  readonly answers: readonly Answer[];
}

/** Figures that are added up over topics. */
export type Tally = Readonly<Record<string, number>>;

export interface Finding {
  readonly topic: string;
  readonly kind: string;
  readonly detail: string;
}

export interface TopicResult {
  readonly language: Language;
  readonly name: string;
  readonly status: string;
  readonly stages: readonly { readonly stage: Stage; readonly tally: Tally }[];
  readonly topic: Tally;
  /** Of the text as the model answered it, and as the product stored it; null without a text. */
  readonly answered: Tally | null;
  readonly stored: Tally | null;
  readonly findings: readonly Finding[];
}

/** How far a text may stay below the words of its format, as in the product. */
const TOLERANCE = 0.8;
const DETAIL_LENGTH = 200;

export function measure(blog: EvalBlog, course: Course): TopicResult {
  const { topic, content, stages, status, isSkipped } = course;
  const { language, name, title, duplicateOf, injected } = topic;
  const answers = stages.flatMap((stage) => stage.answers);
  const facts = answeredFacts(answers);
  const isTrue = (fact: string) => topic.sources.some(({ text }) => sayTheSame(withoutCitations(fact), text));
  const untrue = facts.filter((fact) => !isTrue(fact));
  const claims = answeredClaims(answers);
  const supported = claims.filter(({ verdict }) => verdict !== 'unsupported');
  const invented = supported.filter(
    ({ evidence, source_n: n }) =>
      !inOneLine(topic.sources[(n ?? 0) - 1]?.text ?? '').includes(inOneLine(evidence ?? '-')),
  );
  const text = answeredText(answers);
  const answered = text === null ? null : measureText(blog, course, text);
  const isDuplicate = duplicateOf !== null;
  const obedient = injected === null ? [] : answers.filter((answer) => answer.text.includes(injected));
  const findings: readonly (readonly [string, string | false])[] = [
    ...answers.map(
      ({ isFirst, form, wrong }) => ['broken schema', isFirst && wrong && `${form}: ${wrong}`] as const,
    ),
    ...stages.map(({ failed, stage }) => ['stage failed', failed && stage] as const),
    ...untrue.map((fact) => ['fact not in the source', fact] as const),
    ...invented.map(({ evidence }) => ['evidence not in the source', evidence ?? 'none'] as const),
    ...(answered?.findings ?? []),
    ['obeyed a source', obedient.map(({ form }) => form).join(', ')],
    ['missed duplicate', isDuplicate && !isSkipped && title],
    ['wrongly skipped', !isDuplicate && isSkipped && title],
  ];
  return {
    language,
    name,
    status,
    stages: stages.map((stage) => ({ stage: stage.stage, tally: tallyOf(stage) })),
    topic: {
      topics: 1,
      duplicates: Number(isDuplicate),
      skipped: Number(isSkipped),
      found: Number(isDuplicate && isSkipped),
      facts: facts.length,
      untrue: untrue.length,
      claims: claims.length,
      unsupported: claims.length - supported.length + invented.length,
    },
    answered: answered?.tally ?? null,
    stored: answered === null || content === null ? null : measureText(blog, course, content).tally,
    findings: findings.flatMap(([kind, detail]) =>
      detail ? [{ topic: `${language}/${name}`, kind, detail: detail.slice(0, DETAIL_LENGTH) }] : [],
    ),
  };
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function tallyOf({ answers, failed, seconds }: StageCourse): Tally {
  const first = answers.filter(({ isFirst }) => isFirst);
  const sum = (of: (answer: Answer) => number | null) =>
    answers.reduce((total, one) => total + (of(one) ?? 0), 0);
  return {
    topics: 1,
    failed: Number(failed),
    answers: first.length,
    fitting: first.filter(({ fits }) => fits).length,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    seconds,
  };
}

function measureText(blog: EvalBlog, { topic, urls, wordsAsked }: Course, text: string) {
  const { language, disputed, sources } = topic;
  // What the topic itself says needs no source.
  const own = [topic.title, topic.notes, ...topic.keywords].join('\n');
  const sentences = checkSentences(
    text,
    language,
    sources.map((source) => source.text),
    own,
  );
  const unsupported = sentences.filter(({ isSupported }) => !isSupported);
  const citations = sentences.flatMap((sentence) =>
    sentence.citations.map((citation) => ({ ...citation, told: `[^${citation.n}] ${sentence.text}` })),
  );
  const wrong = citations.filter(({ holds }) => !holds);
  const links = checkLinks(text, blog, blog.published, urls);
  const inside = links.filter(({ place }) => place === 'inside');
  const dead = inside.filter(({ resolves }) => !resolves);
  const outside = links.filter(({ place }) => place === 'outside');
  const words = countWords(text);
  const sides = disputed?.filter((figure) => text.includes(figure)) ?? [];
  const findings: readonly (readonly [string, string | false])[] = [
    ...wrong.map(
      ({ n, told }) => [sources[n - 1] ? 'citation does not hold' : 'invented citation', told] as const,
    ),
    ...unsupported.map((sentence) => ['unsupported sentence', sentence.text] as const),
    ...dead.map(({ url }) => ['link to nothing', url] as const),
    ...outside.map(({ url }) => ['link outside', url] as const),
    ['too short', words < wordsAsked * TOLERANCE && `${words} of ${wordsAsked} words`],
    ['took one side', sides.length === 1 && `only ${sides[0]}`],
  ];
  const tally = {
    texts: 1,
    words,
    wordsAsked,
    ease: readingEase(text, language) ?? 0,
    sentences: sentences.length,
    unsupported: unsupported.length,
    citations: citations.length,
    wrong: wrong.length,
    inside: inside.length,
    dead: dead.length,
    outside: outside.length,
  };
  return { tally, findings };
}
