import { randomUUID } from 'node:crypto';
import { readMessage } from '../../domain/kernel/workflow-messages.ts';
import { startOrSignal } from '../../worker/start-workflow.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';

let temporal: TestTemporal;

beforeAll(async () => {
  temporal = await startTemporal();
});
afterAll(() => temporal.close());

/** What is stored in the outbox or in Temporal, and has to be the same in every version of the code. */
interface Facts {
  /** The object's part of the workflow's id, after its kind. */
  readonly id: string;
  /** Stored messages: what starts the workflow, and the signals that reach it while it runs. */
  readonly starts: object;
  readonly signals: Readonly<Record<string, string>>;
  readonly type: string;
  readonly queue: string;
  readonly summary: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly signalledWithStart: readonly string[];
  /** Whether the same message starts another run after the first has ended. */
  readonly again: boolean;
}

const ID = randomUUID();
const siteId = randomUUID();
const common = { id: ID, signals: {}, queue: 'presswork', signalledWithStart: [], again: false };

const kinds: Readonly<Record<string, Facts>> = {
  approval: {
    ...common,
    starts: { approvalId: ID, siteId, signal: 'asked' },
    signals: { decide: 'decide', use: 'use' },
    type: 'approval',
    summary: `Approval ${ID}: wait for the decision and the use`,
    attributes: { SiteId: siteId, ApprovalId: ID },
  },
  bulk: {
    ...common,
    starts: { jobId: ID, siteId, signal: 'wake' },
    signals: { wake: 'wake' },
    type: 'bulk',
    summary: `Bulk job ${ID}`,
    attributes: { SiteId: siteId, BulkJobId: ID },
    signalledWithStart: ['wake'],
    again: true,
  },
  'cache-purge': {
    ...common,
    starts: { purgeId: ID, siteId },
    type: 'cachePurge',
    summary: 'Purge stale URLs from the cache',
    attributes: { SiteId: siteId },
  },
  'cms-push': {
    ...common,
    starts: { connectionId: ID, siteId },
    type: 'cmsPush',
    summary: `Push articles by connection ${ID}`,
    attributes: { SiteId: siteId },
    signalledWithStart: ['push'],
    queue: 'presswork-pushes',
    again: true,
  },
  'key-rotation': {
    ...common,
    starts: { keyId: ID, siteId },
    type: 'keyRotation',
    summary: `Retire the replaced secrets of key ${ID} when their graces end`,
    attributes: { SiteId: siteId, KeyId: ID },
    signalledWithStart: ['cut'],
    again: true,
  },
  'object-removal': {
    ...common,
    starts: { objectId: ID, siteId },
    type: 'objectRemoval',
    summary: 'Delete the object of a deleted row',
    attributes: { SiteId: siteId },
  },
  'organisation-deletion': {
    ...common,
    starts: { organisationId: ID },
    type: 'organisationDeletion',
    summary: `Delete organisation ${ID} with all its Sites`,
    attributes: {},
    again: true,
  },
  'pending-edit': {
    ...common,
    starts: { articleId: ID, siteId, signal: 'reschedule' },
    signals: { cancel: 'cancel', reschedule: 'reschedule' },
    type: 'pendingEdit',
    summary: `Publish the pending edit of article ${ID} at its time`,
    attributes: { SiteId: siteId, ArticleId: ID },
    signalledWithStart: ['reschedule'],
    again: true,
  },
  'pipeline-run': {
    ...common,
    starts: { runId: ID, siteId, signal: 'start' },
    signals: { cancel: 'cancel' },
    type: 'pipelineRun',
    summary: `Pipeline run ${ID}`,
    attributes: { SiteId: siteId, PipelineRunId: ID },
    again: true,
  },
  'scheduled-publish': {
    ...common,
    starts: { articleId: ID, siteId, signal: 'reschedule' },
    signals: { cancel: 'cancel', reschedule: 'reschedule' },
    type: 'scheduledPublish',
    summary: `Publish article ${ID} at its time`,
    attributes: { SiteId: siteId, ArticleId: ID },
    signalledWithStart: ['reschedule'],
    again: true,
  },
  'site-deletion': {
    ...common,
    id: siteId,
    starts: { siteId },
    type: 'siteDeletion',
    summary: `Delete everything of Site ${siteId}`,
    attributes: { SiteId: siteId },
    again: true,
  },
  'upload-reservation': {
    ...common,
    starts: { uploadId: ID, siteId, signal: 'reserved' },
    signals: { registered: 'registered', rejected: 'rejected' },
    type: 'uploadReservation',
    summary: `Sweep upload ${ID}`,
    attributes: { SiteId: siteId, UploadId: ID },
  },
  'webhook-endpoint': {
    ...common,
    starts: { endpointId: ID, siteId },
    type: 'webhookEndpoint',
    queue: 'presswork-webhooks',
    summary: `Deliver webhooks to endpoint ${ID}`,
    attributes: { SiteId: siteId, EndpointId: ID },
    signalledWithStart: ['deliver'],
    again: true,
  },
};

const handOver = (kind: string, workflow_id: string, payload: object): Promise<void> =>
  startOrSignal(
    temporal.client,
    readMessage({ id: 1, attempts: 0, traceparent: null, kind, workflow_id, payload }),
  );

describe.each(Object.entries(kinds))('a message of kind %s', (kind, facts) => {
  const workflowId = `${kind}/${facts.id}`;
  const handle = () => temporal.client.workflow.getHandle(workflowId);
  const historyOf = async () => (await handle().fetchHistory()).events ?? [];
  const signals = async () =>
    (await historyOf()).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
      signal ? [signal.signalName] : [],
    );

  test('starts its workflow, with everything by which an operator finds it', async () => {
    await handOver(kind, workflowId, facts.starts);
    const { type, taskQueue, searchAttributes, staticSummary } = await handle().describe();
    expect({ type, queue: taskQueue, summary: await staticSummary() }).toEqual({
      type: facts.type,
      queue: facts.queue,
      summary: facts.summary,
    });
    expect(searchAttributes).toEqual(
      Object.fromEntries(Object.entries(facts.attributes).map(([name, value]) => [name, [value]])),
    );
    expect(await signals()).toEqual(facts.signalledWithStart);
    const [begun] = await historyOf();
    const [input] = begun?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    const { signal: _, ...ids } = facts.starts as Record<string, unknown>;
    expect(JSON.parse(Buffer.from(input?.data ?? []).toString())).toEqual(ids);
  });

  test('has the effect of once if it is handed over twice', async () => {
    const { runId } = await handle().describe();
    await handOver(kind, workflowId, facts.starts);
    expect((await handle().describe()).runId).toBe(runId);
    await handle().terminate();
    await handOver(kind, workflowId, facts.starts);
    expect((await handle().describe()).runId !== runId).toBe(facts.again);
  });
});

test.each(
  Object.entries(kinds).flatMap(([kind, facts]) => Object.keys(facts.signals).map((name) => [kind, name])),
)('a message of kind %s signals %s to a workflow that runs', async (kind, name) => {
  const { starts, signals } = kinds[kind] as Facts;
  const workflowId = `${kind}/${randomUUID()}`;
  await handOver(kind, workflowId, starts);
  await handOver(kind, workflowId, { ...starts, signal: name });
  const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
  const received = (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
    signal ? [signal.signalName] : [],
  );
  expect(received.at(-1)).toBe(signals[name as string]);
});
