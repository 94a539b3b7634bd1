import type { JobProcesses } from '../../adapters/untrusted-text/processes.ts';

/** An answer of the model, as the product read it. */
export interface Answer {
  readonly form: string;
  readonly fits: boolean;
  /** Whether it is none that the model gave again because of its mistakes. */
  readonly isFirst: boolean;
  /** What is wrong with it; empty if it fits. */
  readonly wrong: string;
  readonly text: string;
  readonly value: unknown;
  /** Null if the endpoint does not say. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** Notes what the product reads of each answer. `taken` gives out those since it was called last. */
export function recordAnswers(jobs: JobProcesses) {
  const answers: Answer[] = [];
  const recording: JobProcesses = {
    ...jobs,
    async readAnswer(siteId, input, signal) {
      const read = await jobs.readAnswer(siteId, input, signal);
      const before = answers.at(-1);
      answers.push({
        inputTokens: null,
        outputTokens: null,
        ...read,
        form: input.form,
        fits: read.kind === 'fits',
        isFirst: before === undefined || before.fits || !before.isFirst,
        wrong: 'wrong' in read ? read.wrong : read.kind === 'fits' ? '' : read.kind,
        text: 'answer' in read ? read.answer : '',
        value: 'value' in read ? read.value : null,
      });
      return read;
    },
  };
  const taken = (): readonly Answer[] => answers.splice(0);
  return { jobs: recording, taken };
}

const valuesOf = (answers: readonly Answer[], ...forms: readonly string[]): readonly unknown[] =>
  answers.filter(({ form, fits }) => forms.includes(form) && fits).map(({ value }) => value);

/** The article as the model answered it last; a long one comes in sections. Null if there is none. */
export function answeredText(answers: readonly Answer[]): string | null {
  const articles = valuesOf(answers, 'article', 'revision') as { content: string }[];
  const sections = valuesOf(answers, 'section') as { content: string }[];
  return articles.at(-1)?.content ?? (sections.map(({ content }) => content).join('\n\n') || null);
}

/** The facts that the model took from the sources. */
export const answeredFacts = (answers: readonly Answer[]): readonly string[] =>
  (valuesOf(answers, 'extraction').at(-1) as { facts: string[] } | undefined)?.facts ?? [];

/** A claim of the text, as the model answered it. */
export interface AnsweredClaim {
  readonly text: string;
  readonly verdict: string;
  readonly source_n: number | null;
  readonly evidence: string | null;
}

export const answeredClaims = (answers: readonly Answer[]): readonly AnsweredClaim[] =>
  (valuesOf(answers, 'claims') as { claims: AnsweredClaim[] }[]).flatMap(({ claims }) => claims);
