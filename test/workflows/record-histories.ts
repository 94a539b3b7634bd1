import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import {
  CHANNELS_TASK_QUEUE,
  MESSAGES_TASK_QUEUE,
  PIPELINE_TASK_QUEUE,
  SCAN_TASK_QUEUE,
} from '../../workflows/names.ts';
import { startTemporal } from '../support/temporal.ts';
import { scenarios } from './scenarios.ts';
import type { Scenario } from './scenario.ts';

/** A Temporal message as plain values, which the replay can read back. */
function plain(message: object): object {
  const type = message.constructor as unknown as { toObject(message: object, options: object): object };
  return type.toObject(message, { longs: Number, bytes: String });
}

/** Removes stack traces and host names: they belong to the machine that recorded, and a replay does not read them. */
const withoutMachine = (history: object): object =>
  JSON.parse(JSON.stringify(history), (key, value: unknown) => {
    if (key === 'stackTrace') return '';
    return key === 'identity' && value !== '' ? 'recorder' : value;
  }) as object;

/** The queues of workflows whose steps have one of their own. */
const stepQueues: Readonly<Record<string, string>> = {
  pipelineRun: PIPELINE_TASK_QUEUE,
  seoScan: SCAN_TASK_QUEUE,
  messages: MESSAGES_TASK_QUEUE,
  channel: CHANNELS_TASK_QUEUE,
};
/** More would keep their workers waiting for a processor, and their timers would tell. */
const AT_ONCE = 4;

const queueOf = ({ workflow }: Scenario): string | undefined => stepQueues[workflow];

/** Runs every scenario without a history on a real server, and writes its history to the folder. */
export async function recordHistories(
  folder: string,
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const temporal = await startTemporal();
  const { connection, namespace, client } = temporal;
  const record = async ([name, scenario]: readonly [string, Scenario]): Promise<void> => {
    const common = { connection, namespace, identity: 'recorder', activities: scenario.activities };
    const worker = await Worker.create({ ...common, taskQueue: name, workflowBundle });
    const queue = queueOf(scenario);
    const steps = queue === undefined ? null : await Worker.create({ ...common, taskQueue: queue });
    const workflow = await client.workflow.start(scenario.workflow, {
      taskQueue: name,
      workflowId: name,
      args: scenario.input ? [scenario.input] : [],
    });
    const until: Promise<unknown>[] = [scenario.during?.(workflow) ?? Promise.resolve()];
    if (!scenario.endless) until.push(workflow.result());
    const finished = Promise.all(until);
    await Promise.all([worker.runUntil(finished), steps?.runUntil(finished)]);
    if (scenario.endless) await workflow.terminate();
    const history = withoutMachine(plain(await workflow.fetchHistory()));
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(history, null, 2)}\n`);
  };
  const missing = Object.entries(scenarios).filter(([name]) => !existsSync(join(folder, `${name}.json`)));
  // They share the task queue of their steps, so they are recorded one after another.
  const recordSharing = async (): Promise<void> => {
    for (const one of missing) if (queueOf(one[1]) !== undefined) await record(one);
  };
  const others = missing.filter(([, scenario]) => queueOf(scenario) === undefined);
  const recordOthers = async (): Promise<void> => {
    for (let next = others.shift(); next !== undefined; next = others.shift()) await record(next);
  };
  const recorded = await Promise.allSettled([
    recordSharing(),
    ...Array.from({ length: AT_ONCE }, recordOthers),
  ]);
  await temporal.close();
  for (const outcome of recorded) if (outcome.status === 'rejected') throw outcome.reason;
}
