import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import type { BundleOptions, WorkerOptions } from '@temporalio/worker';
import { bundleOptions } from '../../worker/bundle.ts';
import { workflowSpans } from '../../worker/tracing.ts';

export const folder = fileURLToPath(new URL('../histories/', import.meta.url));

/** A later version of the workflows: see changed-version.ts. */
export const changedOptions: BundleOptions = {
  ...bundleOptions,
  workflowInterceptorModules: [
    ...(bundleOptions.workflowInterceptorModules ?? []),
    fileURLToPath(new URL('changed-version.ts', import.meta.url)),
  ],
};

/** A recorded history, under the id of its workflow. */
export interface Recorded {
  readonly workflowId: string;
  readonly history: { events: Record<string, any>[] };
}

export const recordedHistories = (): Recorded[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({
      workflowId: name.replace('.json', ''),
      history: JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recorded['history'],
    }));

export const workflowTypeOf = ({ history }: Recorded): string =>
  history.events[0]?.['workflowExecutionStartedEventAttributes'].workflowType.name;

/** @returns the error of each workflow that the code does not fit, by its id */
export async function replay(
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>,
  histories: readonly Recorded[],
): Promise<ReadonlyMap<string, string>> {
  const errors = new Map<string, string>();
  const results = Worker.runReplayHistories({ workflowBundle, sinks: workflowSpans }, histories);
  for await (const { workflowId, error } of results) if (error) errors.set(workflowId, error.message);
  return errors;
}

/** The names of the activities of a workflow, local ones included, in order. */
export function activitiesOf({ history }: Recorded): string[] {
  return history.events.flatMap((event) => {
    const scheduled = event['activityTaskScheduledEventAttributes'];
    if (scheduled) return [scheduled.activityType.name as string];
    const marker = event['markerRecordedEventAttributes'];
    if (marker?.markerName !== 'core_local_activity') return [];
    const data = Buffer.from(marker.details.data.payloads[0].data, 'base64').toString();
    return [JSON.parse(data).activity_type as string];
  });
}

export const signalsOf = ({ history }: Recorded): string[] =>
  history.events.flatMap((event) => event['workflowExecutionSignaledEventAttributes']?.signalName ?? []);

export const timersOf = ({ history }: Recorded): number =>
  history.events.filter((event) => event['timerStartedEventAttributes']).length;
