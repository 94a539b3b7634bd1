import { setTimeout } from 'node:timers/promises';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { choreSeen, setupFailed } from '../observability/metrics/joining.ts';
import { chores, searchAttributes, TASK_QUEUE } from '../workflows/names.ts';
import type { Chore } from '../workflows/names.ts';
import { run, upkeep } from '../workflows/upkeep.ts';
import { persist } from './persist.ts';

const MINUTE_MS = 60_000;
const CALL_TIMEOUT_MS = 5_000;

/** The summary of each, for the UI. */
const summaries: Readonly<Record<Chore, string>> = {
  rescue: 'Start overdue work that has no workflow',
  housekeeping: 'Delete expired rows and finish lost work',
  'spam-sweep': 'Delete spam 30 days after it was marked',
  endpoints: 'Keep a workflow open for each webhook endpoint',
};

export const upkeepId = (chore: Chore): string => `upkeep/${chore}`;

const within = <Result>(client: Client, work: () => Promise<Result>): Promise<Result> =>
  client.withDeadline(Date.now() + CALL_TIMEOUT_MS, work);

/** Starts each chore's workflow, or has it run now. */
export async function ensureUpkeep(client: Client): Promise<void> {
  for (const chore of chores) if (!(await start(client, chore))) await runNow(client, chore);
}

/** @returns whether it was started, and did not run before */
async function start(client: Client, chore: Chore): Promise<boolean> {
  try {
    await within(client, () =>
      client.workflow.start(upkeep, {
        workflowId: upkeepId(chore),
        taskQueue: TASK_QUEUE,
        args: [{ chore }],
        staticSummary: summaries[chore],
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

const runNow = (client: Client, chore: Chore): Promise<void> =>
  within(client, () => client.workflow.getHandle(upkeepId(chore)).signal(run));

/**
 * Starts the workflows of all chores, retrying until it succeeds, then checks each minute whether one has ended or was
 * paused.
 *
 * @param client gives the client of the current connection
 */
export async function keepUpkeep(client: () => Client, log: Logger, signal: AbortSignal): Promise<void> {
  const failed = (error: unknown): void => {
    setupFailed('upkeep');
    log.warn({ err: error as Error }, 'the upkeep workflows could not be started or checked yet');
  };
  await persist(signal, () => ensureUpkeep(client()), failed);
  const paused = new Set<Chore>();
  for (;;) {
    for (const chore of chores) await look(client(), chore, paused, log).catch(failed);
    await setTimeout(MINUTE_MS, undefined, { signal });
  }
}

async function look(client: Client, chore: Chore, paused: Set<Chore>, log: Logger): Promise<void> {
  if (await start(client, chore))
    log.warn({ chore, workflow_id: upkeepId(chore) }, 'an upkeep workflow had ended and was started again');
  const isPaused = await within(client, () => isPausedNow(client, chore));
  choreSeen(chore, isPaused);
  if (!isPaused) paused.delete(chore);
  else if (!paused.has(chore)) {
    paused.add(chore);
    log.warn(
      { chore, workflow_id: upkeepId(chore) },
      'an upkeep workflow is paused: its work is not being done',
    );
  }
}

async function isPausedNow(client: Client, chore: Chore): Promise<boolean> {
  try {
    const { typedSearchAttributes } = await client.workflow.getHandle(upkeepId(chore)).describe();
    return typedSearchAttributes.get(searchAttributes.processState) === 'paused';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
