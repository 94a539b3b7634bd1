import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import * as workflows from '../../workflows/index.ts';
import { bundleOptions } from '../../worker/bundle.ts';
import {
  activitiesOf,
  changedOptions,
  folder,
  recordedHistories,
  replay,
  signalsOf,
  timersOf,
  workflowTypeOf,
} from './histories.ts';
import type { Recorded } from './histories.ts';
import { recordHistories } from './record-histories.ts';

/**
 * What processes lived through under earlier versions of the code, replayed with this one: a change that breaks
 * running processes fails here, and needs `patched`. A new process is recorded with
 *
 *     RECORD_HISTORIES=1 npm test -- test/workflows/replay
 *
 * which writes all of them anew; keep the old ones of what is in production.
 */
let bundle: WorkflowBundle;

beforeAll(async () => {
  bundle = await bundleWorkflowCode({ ...bundleOptions, logger: new DefaultLogger('ERROR') });
  if (process.env['RECORD_HISTORIES']) await recordHistories(folder, bundle);
});

test('every recorded history replays with the code as it is', async () => {
  const histories = recordedHistories();
  expect(histories.length).toBeGreaterThan(0);
  expect(await replay(bundle, histories)).toEqual(new Map());
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
  expect(await replay(bundle, recordedHistories().map(traced))).toEqual(new Map());
});

test('every workflow has a recorded history', () => {
  expect([...new Set(recordedHistories().map(workflowTypeOf))].sort()).toEqual(Object.keys(workflows).sort());
});

/** What a file of `workflows/` can have done, and be told. */
function declaredIn(source: string): { activities: string[]; signals: string[] } {
  const proxies = source.matchAll(/const \{([^}]+)\}\s*=\s*proxy(?:Local)?Activities\b/g);
  const signals = source.matchAll(/defineSignal(?:<[^>]*>)?\('(\w+)'\)/g);
  return {
    activities: [...proxies].flatMap(([, names = '']) => names.match(/\w+/g) ?? []),
    signals: [...signals].map(([, name = '']) => name),
  };
}

test.each(Object.keys(workflows))(
  'each activity that %s calls, and each signal that it takes, is in one of its histories',
  (type) => {
    const name = type.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const file = fileURLToPath(new URL(`../../workflows/${name}.ts`, import.meta.url));
    const { activities, signals } = declaredIn(readFileSync(file, 'utf8'));
    const own = recordedHistories().filter((each) => workflowTypeOf(each) === type);
    expect(activities).not.toEqual([]);
    expect([...new Set(own.flatMap(activitiesOf))]).toEqual(expect.arrayContaining(activities));
    expect([...new Set(own.flatMap(signalsOf))]).toEqual(expect.arrayContaining(signals));
  },
);

describe('a version with one more activity, before whichever command of whichever history', () => {
  let changed: WorkflowBundle;

  beforeAll(async () => {
    changed = await bundleWorkflowCode({ ...changedOptions, logger: new DefaultLogger('ERROR') });
  });

  /** Each history, once for each command that it holds. */
  const everyPlace = (how: 'patched' | 'bare'): Recorded[] =>
    recordedHistories().flatMap((recorded) =>
      Array.from({ length: activitiesOf(recorded).length + timersOf(recorded) }, (_, index) => ({
        ...recorded,
        workflowId: `${recorded.workflowId}#${index + 1}#${how}`,
      })),
    );

  test('is noticed', async () => {
    const places = everyPlace('bare');
    expect(places.length).toBeGreaterThan(recordedHistories().length);
    const noticed = await replay(changed, places);
    expect(places.map(({ workflowId }) => workflowId).filter((id) => !noticed.has(id))).toEqual([]);
  });

  test('is right behind patched', async () => {
    expect(await replay(changed, everyPlace('patched'))).toEqual(new Map());
  });
});
