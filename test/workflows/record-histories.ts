import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import { startTemporal } from '../support/temporal.ts';
import { lives } from './lives.ts';
import type { Life } from './lives.ts';

/** A message of Temporal's as plain values, of which the replay can make it again. */
function plain(message: object): object {
  const type = message.constructor as unknown as { toObject(message: object, options: object): object };
  return type.toObject(message, { longs: Number, bytes: String });
}

/** Stacks and hosts are of the machine that recorded, and nothing that a replay looks at. */
const withoutMachine = (history: object): object =>
  JSON.parse(JSON.stringify(history), (key, value: unknown) => {
    if (key === 'stackTrace') return '';
    return key === 'identity' && value !== '' ? 'recorder' : value;
  }) as object;

/** Lives each life on a real server, and writes its history down. */
export async function recordHistories(folder: string, workflowBundle: WorkflowBundle): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const temporal = await startTemporal();
  const { connection, namespace, client } = temporal;
  const record = async ([name, life]: readonly [string, Life]): Promise<void> => {
    const common = { connection, namespace, identity: 'recorder', taskQueue: name, workflowBundle };
    const worker = await Worker.create({ ...common, activities: life.activities });
    const process = await client.workflow.start(life.workflow, {
      taskQueue: name,
      workflowId: name,
      args: life.input ? [life.input] : [],
    });
    await worker.runUntil(Promise.all([life.during?.(process), process.result()]));
    const history = withoutMachine(plain(await process.fetchHistory()));
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(history, null, 2)}\n`);
  };
  const recorded = await Promise.allSettled(Object.entries(lives).map(record));
  await temporal.close();
  for (const outcome of recorded) if (outcome.status === 'rejected') throw outcome.reason;
}
