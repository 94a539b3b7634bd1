import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import * as workflows from '../../workflows/index.ts';
import { bundleOptions } from '../../worker/bundle.ts';
import { workflowSpans } from '../../worker/tracing.ts';
import { recordHistories } from './record-histories.ts';

/**
 * What processes lived through under earlier versions of the code, replayed with this one: a change that breaks
 * running processes fails here, and needs `patched`. A new process is recorded with
 *
 *     RECORD_HISTORIES=1 npm test -- test/workflows/replay
 *
 * which writes all of them anew; keep the old ones of what is in production.
 */
const folder = fileURLToPath(new URL('../histories/', import.meta.url));

interface Recorded {
  readonly workflowId: string;
  readonly history: { events: Record<string, any>[] };
}

let bundle: WorkflowBundle;

beforeAll(async () => {
  bundle = await bundleWorkflowCode({ ...bundleOptions, logger: new DefaultLogger('ERROR') });
  if (process.env['RECORD_HISTORIES']) await recordHistories(folder, bundle);
});

const recorded = (): Recorded[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({
      workflowId: name.replace('.json', ''),
      history: JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recorded['history'],
    }));

async function replay(histories: readonly Recorded[]): Promise<string[]> {
  const errors: string[] = [];
  const results = Worker.runReplayHistories({ workflowBundle: bundle, sinks: workflowSpans }, histories);
  for await (const { workflowId, error } of results)
    if (error) errors.push(`${workflowId}: ${error.message}`);
  return errors;
}

test('every recorded history replays with the code as it is', async () => {
  const histories = recorded();
  expect(histories.length).toBeGreaterThan(0);
  expect(await replay(histories)).toEqual([]);
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const header = {
  fields: {
    '_tracer-data': {
      metadata: { encoding: base64('json/plain') },
      data: base64(JSON.stringify({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` })),
    },
  },
};

/** The same life, had whoever started and signalled it been traced. */
const traced = ({ workflowId, history }: Recorded): Recorded => ({
  workflowId,
  history: JSON.parse(JSON.stringify(history), (name, value: unknown) =>
    name === 'workflowExecutionStartedEventAttributes' || name === 'workflowExecutionSignaledEventAttributes'
      ? { ...(value as object), header }
      : value,
  ) as Recorded['history'],
});

test('every recorded history replays alike where its beginning was traced', async () => {
  expect(await replay(recorded().map(traced))).toEqual([]);
});

test('every workflow has a recorded history', () => {
  const types = recorded().map(
    ({ history }) =>
      history.events[0]?.['workflowExecutionStartedEventAttributes'].workflowType.name as string,
  );
  expect([...new Set(types)].sort()).toEqual(Object.keys(workflows).sort());
});

test('the replay does notice code that does something else', async () => {
  const [history] = recorded().filter(({ workflowId }) => workflowId.startsWith('cache-purge'));
  const changed = JSON.parse(
    JSON.stringify(history).replaceAll('"purgeCache"', '"somethingElse"'),
  ) as Recorded;
  expect(await replay([changed])).toHaveLength(1);
});
