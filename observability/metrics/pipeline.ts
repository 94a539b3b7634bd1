import { Counter, Histogram } from '@prometheus-io/client';

const tries = new Histogram({
  name: 'presswork_pipeline_stage_duration_seconds',
  help: 'Attempts at a stage of an article, from charging to recording, by whether it was done or failed.',
  labelNames: ['stage', 'outcome'],
  buckets: [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 120, 300],
});

const givenUp = new Counter({
  name: 'presswork_pipeline_articles_given_up_total',
  help: 'Articles whose stage failed for good.',
});

const runs = new Counter({
  name: 'presswork_pipeline_runs_ended_total',
  help: 'Runs that ended, by their status.',
  labelNames: ['status'],
});
for (const status of ['completed', 'partial', 'failed', 'cancelled']) runs.inc({ status }, 0);

const failedCalls = new Counter({
  name: 'presswork_pipeline_failed_calls_total',
  help: 'Calls to a language model that timed out or had no usable answer.',
});

const usedUp = new Counter({
  name: 'presswork_pipeline_budgets_used_up_total',
  help: 'Sites that have used up their 100 failed calls of a month.',
});

const tokens = new Counter({
  name: 'presswork_pipeline_tokens_total',
  help: 'Tokens of the language model, by direction: input or output.',
  labelNames: ['direction'],
});
for (const direction of ['input', 'output']) tokens.inc({ direction }, 0);

const credits = new Counter({
  name: 'presswork_credits_total',
  help: 'Credits charged for stages, and credits refunded.',
  labelNames: ['movement'],
});
for (const movement of ['charged', 'returned']) credits.inc({ movement }, 0);

/** Starts each stage at zero, so that its first attempt is an increase. */
export function expectStages(stages: readonly string[]): void {
  for (const stage of stages) for (const outcome of ['done', 'failed']) tries.zero({ stage, outcome });
}

export const stageTried = (stage: string, outcome: 'done' | 'failed', seconds: number): void =>
  tries.observe({ stage, outcome }, seconds);

export const creditsCharged = (movement: 'charged' | 'returned', amount: number): void =>
  credits.inc({ movement }, amount);

export const articleGivenUp = (): void => givenUp.inc();

/** @param justUsedUp whether the Site has no failed calls left this month */
export function callsFailed(calls: number, justUsedUp: boolean): void {
  failedCalls.inc(calls);
  if (justUsedUp) usedUp.inc();
}

export const runEnded = (status: string): void => runs.inc({ status });

export function tokensUsed(input: number | null, output: number | null): void {
  tokens.inc({ direction: 'input' }, input ?? 0);
  tokens.inc({ direction: 'output' }, output ?? 0);
}
