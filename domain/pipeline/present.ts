import { idOf } from '../kernel/ids.ts';
import type { Run } from './run.ts';
import { stageCost } from './stages.ts';
import type { RecordedStep } from './steps.ts';

/** A run as the API shows it (docs/spec/rulings.md, 10). */
export const presentRun = (run: Run) => ({
  id: run.id,
  status: run.status,
  reason: run.reason,
  writer: run.writer,
  articles: run.articles.map(({ article_id, status, stage, error, duplicate_of, score }) => ({
    article_id,
    status,
    stage,
    error,
    duplicate_of,
    score,
  })),
  totals: {
    articles: run.articles.length,
    stages_done: run.stages_done,
    stages_total: run.stages_total,
  },
  credits_spent: run.credits_spent,
  tokens: run.tokens,
  created_at: run.created_at.toISOString(),
  started_at: run.started_at?.toISOString() ?? null,
  finished_at: run.finished_at?.toISOString() ?? null,
});

/** A step as the API shows it (docs/spec/rulings.md, 25, It can be seen). */
export const presentStep = (step: RecordedStep) => ({
  id: idOf([step.run_id, step.article_id, step.stage, step.attempt].join('/')),
  article_id: step.article_id,
  stage: step.stage,
  attempt: step.attempt,
  status: step.status,
  model: step.model,
  started_at: (step.started_at ?? step.finished_at).toISOString(),
  finished_at: step.finished_at.toISOString(),
  tokens: tokensOf(step),
  credits: step.credits ?? stageCost[step.stage],
  error: step.error,
  prompt: step.prompt,
  answer: step.answer,
});

const tokensOf = ({ input_tokens: input, output_tokens: output }: RecordedStep) =>
  input === null && output === null ? null : { input: input ?? 0, output: output ?? 0 };
