import { subscribe } from 'node:diagnostics_channel';
import { Counter, Histogram } from 'prom-client';
import { CREDITS_CHANNEL } from '../domain/credits.ts';
import type { CreditsMoved } from '../domain/credits.ts';
import { stages } from '../domain/pipeline/stages.ts';
import type { Stage } from '../domain/pipeline/stages.ts';

const tries = new Histogram({
  name: 'presswork_pipeline_stage_duration_seconds',
  help: 'Tries of a stage on an article, from its payment to its record, by whether it was done or failed.',
  labelNames: ['stage', 'outcome'],
  buckets: [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 120, 300],
});
for (const stage of stages) for (const outcome of ['done', 'failed']) tries.zero({ stage, outcome });

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

const tokens = new Counter({
  name: 'presswork_pipeline_tokens_total',
  help: 'Tokens of the language model, by direction: input or output.',
  labelNames: ['direction'],
});
for (const direction of ['input', 'output']) tokens.inc({ direction }, 0);

const credits = new Counter({
  name: 'presswork_credits_total',
  help: 'Credits that were charged for stages, and those that were returned.',
  labelNames: ['movement'],
});
for (const movement of ['charged', 'returned']) credits.inc({ movement }, 0);
subscribe(CREDITS_CHANNEL, (moved) => {
  const { movement, amount } = moved as CreditsMoved;
  credits.inc({ movement }, amount);
});

export const stageTried = (stage: Stage, outcome: 'done' | 'failed', seconds: number): void =>
  tries.observe({ stage, outcome }, seconds);

export const articleGivenUp = (): void => givenUp.inc();

export const runEnded = (status: string): void => runs.inc({ status });

export function tokensUsed(input: number | null, output: number | null): void {
  tokens.inc({ direction: 'input' }, input ?? 0);
  tokens.inc({ direction: 'output' }, output ?? 0);
}
