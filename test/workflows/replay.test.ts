import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import * as workflows from '../../workflows/index.ts';
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
import { workflowBundle } from '../support/temporal.ts';

const RECORDING_MS = 10 * 60_000;

/**
 * Histories recorded with earlier versions of the code, replayed with this one: a change that breaks running workflows
 * fails here, and needs `patched`. A new scenario is recorded with
 *
 * RECORD_HISTORIES=1 npm test -- test/workflows/replay
 *
 * which keeps existing histories.
 */
beforeAll(async () => {
  if (process.env['RECORD_HISTORIES']) await recordHistories(folder, workflowBundle);
}, RECORDING_MS);

test('every recorded history replays with the current code', async () => {
  const histories = recordedHistories();
  expect(histories.length).toBeGreaterThan(0);
  expect(await replay(workflowBundle, histories)).toEqual(new Map());
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

/** The same history, as if the starter and the senders of signals had been traced. */
const traced = ({ workflowId, history }: Recorded): Recorded => ({
  workflowId,
  history: JSON.parse(JSON.stringify(history), (name, value: unknown) =>
    name === 'workflowExecutionStartedEventAttributes' || name === 'workflowExecutionSignaledEventAttributes'
      ? { ...(value as object), header }
      : value,
  ) as Recorded['history'],
});

test('every recorded history also replays with a traced start', async () => {
  expect(await replay(workflowBundle, recordedHistories().map(traced))).toEqual(new Map());
});

test('every workflow has a recorded history', () => {
  expect([...new Set(recordedHistories().map(workflowTypeOf))].sort()).toEqual(Object.keys(workflows).sort());
});

/** A file of `workflows/`, followed by those that it imports. */
function withImports(name: string): string {
  const source = readFileSync(fileURLToPath(new URL(`../../workflows/${name}.ts`, import.meta.url)), 'utf8');
  const imported = source.matchAll(/^import \{.*\} from '\.\/([\w-]+)\.ts'/gm);
  return [source, ...[...imported].map(([, file = '']) => withImports(file))].join('\n');
}

/** The activities that a workflow calls, and the signals that it handles. */
function declaredIn(source: string): { activities: string[]; signals: string[] } {
  const called = source.matchAll(/\bactivities\.(\w+)\(/g);
  const proxies = source.matchAll(/const \{([^}]+)\}\s*=\s*proxy(?:Local)?Activities\b/g);
  const signals = source.matchAll(/defineSignal(?:<[^>]*>)?\('(\w+)'\)/g);
  return {
    activities: [
      ...[...proxies].flatMap(([, names = '']) => names.match(/\w+/g) ?? []),
      ...[...called].map(([, name = '']) => name),
    ],
    signals: [...signals].map(([, name = '']) => name),
  };
}

test.each(Object.keys(workflows))(
  'each activity that %s calls, and each signal that it handles, is in one of its histories',
  (type) => {
    const name = type.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const { activities, signals } = declaredIn(withImports(name));
    const own = recordedHistories().filter((each) => workflowTypeOf(each) === type);
    expect(activities).not.toEqual([]);
    expect([...new Set(own.flatMap(activitiesOf))]).toEqual(expect.arrayContaining(activities));
    expect([...new Set(own.flatMap(signalsOf))]).toEqual(expect.arrayContaining(signals));
  },
);

describe('a version with an additional activity before any command of any history', () => {
  let changed: WorkflowBundle;

  beforeAll(async () => {
    changed = await bundleWorkflowCode({ ...changedOptions, logger: new DefaultLogger('ERROR') });
  });

  /** Each history, once for each of its commands. */
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

  test('is accepted with patched', async () => {
    expect(await replay(changed, everyPlace('patched'))).toEqual(new Map());
  });
});
