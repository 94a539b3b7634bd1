import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { SearchAttributePair, SignalDefinition } from '@temporalio/common';
import type { OutboxMessage } from '../db/outbox.ts';
import { searchAttributes, TASK_QUEUE } from '../temporal/names.ts';
import { approval, decide, use } from '../workflows/approval.ts';
import { cachePurge } from '../workflows/cache-purge.ts';
import { cut, keyRotation } from '../workflows/key-rotation.ts';
import { objectRemoval } from '../workflows/object-removal.ts';
import { cancelRun, pipelineRun } from '../workflows/pipeline-run.ts';
import { registered, uploadReservation } from '../workflows/upload-reservation.ts';
import { reschedule, cancel, scheduledPublish } from '../workflows/scheduled-publish.ts';

/**
 * Starts or signals the workflow that a message is for. Done twice it does the same as once.
 *
 * @throws where Temporal cannot be reached or refuses
 */
export async function deliver(client: Client, message: OutboxMessage): Promise<void> {
  switch (message.kind) {
    case 'scheduled-publish':
      return message.payload.signal === 'reschedule'
        ? startOrWake(client, message)
        : signalIfRunning(client, message.workflow_id, cancel);
    case 'upload-reservation':
      return watchUpload(client, message);
    case 'object-removal':
      return startOnce(client, objectRemoval, message, 'Delete bytes whose row is gone');
    case 'key-rotation':
      return watchGrace(client, message);
    case 'pipeline-run':
      return carryOutRun(client, message);
    case 'cache-purge':
      return startOnce(client, cachePurge, message, 'Tell the cache which addresses are stale');
    case 'approval':
      return followApproval(client, message);
  }
}

type MessageOf<Kind extends OutboxMessage['kind']> = Extract<OutboxMessage, { kind: Kind }>;

async function startOrWake(client: Client, message: MessageOf<'scheduled-publish'>): Promise<void> {
  const { articleId, siteId } = message.payload;
  await client.workflow.signalWithStart(scheduledPublish, {
    taskQueue: TASK_QUEUE,
    workflowId: message.workflow_id,
    signal: reschedule,
    args: [{ articleId, siteId }],
    // An article may be scheduled again after it was published or its schedule taken back.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    // What a worker had in hand when it was killed goes to another after this; the server's own choice is 10 s.
    workflowTaskTimeout: '3 seconds',
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.siteId, value: siteId },
      { key: searchAttributes.articleId, value: articleId },
    ]),
    staticSummary: `Publish article ${articleId} at its time`,
  });
}

async function watchUpload(client: Client, message: MessageOf<'upload-reservation'>): Promise<void> {
  const { uploadId, siteId, signal } = message.payload;
  if (signal === 'registered') return signalIfRunning(client, message.workflow_id, registered);
  await startOnce(
    client,
    uploadReservation,
    { ...message, payload: { uploadId, siteId } },
    `Sweep upload ${uploadId}`,
    [{ key: searchAttributes.uploadId, value: uploadId }],
  );
}

async function carryOutRun(client: Client, message: MessageOf<'pipeline-run'>): Promise<void> {
  const { runId, siteId, signal } = message.payload;
  if (signal === 'cancel') return signalIfRunning(client, message.workflow_id, cancelRun);
  const attributes = [{ key: searchAttributes.runId, value: runId }];
  // A run that goes on although its process has ended, such as by an operator's hand, gets another one; what has
  // ended is left alone by whatever process.
  const again = { ...message, payload: { runId, siteId } };
  await startOnce(client, pipelineRun, again, `Carry out run ${runId}`, attributes, 'ALLOW_DUPLICATE');
}

async function followApproval(client: Client, message: MessageOf<'approval'>): Promise<void> {
  const { approvalId, siteId, signal } = message.payload;
  // Where it has not begun yet, it will read what the signal would have had it read.
  if (signal !== 'asked')
    return signalIfRunning(client, message.workflow_id, signal === 'use' ? use : decide);
  await startOnce(
    client,
    approval,
    { ...message, payload: { approvalId, siteId } },
    `Approval ${approvalId}: wait for a person, and for its use`,
    [{ key: searchAttributes.approvalId, value: approvalId }],
  );
}

async function watchGrace(client: Client, message: MessageOf<'key-rotation'>): Promise<void> {
  const { signal, ...payload } = message.payload;
  if (signal === 'cut') return signalIfRunning(client, message.workflow_id, cut);
  await startOnce(
    client,
    keyRotation,
    { ...message, payload },
    `Retire the secret that rotation ${payload.rotation} of key ${payload.keyId} replaced`,
    [{ key: searchAttributes.keyId, value: payload.keyId }],
  );
}

async function signalIfRunning(client: Client, workflowId: string, signal: SignalDefinition): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal(signal);
  } catch (error) {
    // It has ended, or never began: there is nobody left to tell.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** Starts a process; one that runs, or unless said otherwise has run, under its id is as good. */
async function startOnce<Input extends { readonly siteId: string }>(
  client: Client,
  workflow: (input: Input) => Promise<unknown>,
  { workflow_id: workflowId, payload }: { readonly workflow_id: string; readonly payload: Input },
  staticSummary: string,
  attributes: SearchAttributePair[] = [],
  afterItsEnd: 'ALLOW_DUPLICATE' | 'REJECT_DUPLICATE' = 'REJECT_DUPLICATE',
): Promise<void> {
  try {
    await client.workflow.start(workflow, {
      taskQueue: TASK_QUEUE,
      workflowId,
      args: [payload] as never,
      workflowIdReusePolicy: afterItsEnd,
      typedSearchAttributes: new TypedSearchAttributes([
        { key: searchAttributes.siteId, value: payload.siteId },
        ...attributes,
      ]),
      staticSummary,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
