import type { JobProcesses } from '../../adapters/untrusted-text/processes.ts';

/** An answer of the model, as the product read it. */
export interface Answer {
  readonly form: string;
  readonly fits: boolean;
  /** It was not asked again because of its mistakes. */
  readonly isFirst: boolean;
  readonly wrong: string | null;
  readonly text: string;
  readonly value: unknown;
}

/** Notes what the product reads of each answer. `taken` gives out those since it was called last. */
export function recordAnswers(jobs: JobProcesses): {
  readonly jobs: JobProcesses;
  readonly taken: () => readonly Answer[];
} {
  let answers: Answer[] = [];
  return {
    jobs: {
      ...jobs,
      async readAnswer(siteId, input, signal) {
        const read = await jobs.readAnswer(siteId, input, signal);
        const before = answers.at(-1);
        const fits = read.kind === 'fits';
        answers.push({
          form: input.form,
          fits,
          isFirst: before === undefined || before.fits || !before.isFirst,
          wrong: 'wrong' in read ? read.wrong : fits ? null : read.kind,
          text: 'answer' in read ? read.answer : '',
          value: fits ? read.value : null,
        });
        return read;
      },
    },
    taken() {
      const since = answers;
      answers = [];
      return since;
    },
  };
}

interface WithContent {
  readonly content?: string;
}

/** The article as the model answered it last; a long one comes in sections. */
export function answeredText(answers: readonly Answer[]): string | null {
  const whole = answers.findLast(({ form, fits }) => form === 'article' && fits);
  if (whole !== undefined) return (whole.value as WithContent).content ?? '';
  const sections = answers.filter(({ form, fits }) => form === 'section' && fits);
  if (sections.length === 0) return null;
  return sections.map(({ value }) => (value as WithContent).content ?? '').join('\n\n');
}

/** The facts that the model took from the sources; null if it was not asked, or gave none. */
export function answeredFacts(answers: readonly Answer[]): readonly string[] | null {
  const found = answers.findLast(({ form, fits }) => form === 'extraction' && fits);
  return found === undefined ? null : (found.value as { facts: readonly string[] }).facts;
}
