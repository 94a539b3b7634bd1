import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { Duration, SearchAttributePair, SignalDefinition } from '@temporalio/common';
import type { Kind, MessageOf, PayloadOf } from '../domain/kernel/workflow-messages.ts';
import { PUSH_TASK_QUEUE, searchAttributes, TASK_QUEUE, WEBHOOK_TASK_QUEUE } from '../workflows/names.ts';
import { approval, decide, use } from '../workflows/approval.ts';
import { cancel, reschedule } from '../workflows/at-its-time.ts';
import { autopilotChanged, autopilotSchedule } from '../workflows/autopilot-schedule.ts';
import { billingEvent } from '../workflows/billing-event.ts';
import { bulk, wake } from '../workflows/bulk.ts';
import { cachePurge } from '../workflows/cache-purge.ts';
import { channel } from '../workflows/channel.ts';
import { cmsPush, push } from '../workflows/cms-push.ts';
import { cut, keyRotation } from '../workflows/key-rotation.ts';
import { messages } from '../workflows/messages.ts';
import { objectRemoval } from '../workflows/object-removal.ts';
import { organisationDeletion } from '../workflows/organisation-deletion.ts';
import { pendingEdit } from '../workflows/pending-edit.ts';
import { cancelRun, pipelineRun } from '../workflows/pipeline-run.ts';
import { cancelScan, seoScan } from '../workflows/seo-scan.ts';
import { siteDeletion } from '../workflows/site-deletion.ts';
import { graceBegun, graceChanged, subscriptionGrace } from '../workflows/subscription-grace.ts';
import { told } from '../workflows/until-all-is-sent.ts';
import { topUp } from '../workflows/top-up.ts';
import { registered, rejected, uploadReservation } from '../workflows/upload-reservation.ts';
import { scheduledPublish } from '../workflows/scheduled-publish.ts';
import { deliver, webhookEndpoint } from '../workflows/webhook-endpoint.ts';

type SignalOf<K extends Kind> =
  PayloadOf<K> extends { readonly signal: infer Name extends string } ? Name : never;

/** The workflow that a kind of message starts or signals. */
interface Declaration<K extends Kind> {
  /** Gets the payload without `signal`. Its ids are its search attributes. */
  readonly workflow: (input: PayloadOf<K>) => Promise<unknown>;
  /** Its summary, for the UI. */
  readonly summary: (input: PayloadOf<K>) => string;
  /** Messages that signal the workflow if it runs. All others start it. */
  readonly signals?: { readonly [Name in SignalOf<K>]?: SignalDefinition };
  /** A signal that goes with the start, or to the workflow that is already running. */
  readonly startsWith?: SignalDefinition;
  /** Whether it may be started again after it has ended; otherwise a message that is handed over twice does nothing. */
  readonly again?: true;
  readonly taskQueue?: string;
  /** After this long, another worker gets the tasks of a killed one; the server's default is 10 s. */
  readonly taskTimeout?: Duration;
}

const workflows: { readonly [K in Kind]: Declaration<K> } = {
  approval: {
    workflow: approval,
    summary: ({ approvalId }) => `Approval ${approvalId}: wait for the decision and the use`,
    signals: { decide, use },
  },
  'autopilot-schedule': {
    workflow: autopilotSchedule,
    summary: ({ siteId }) => `Keep the Schedule of the autopilot of Site ${siteId}`,
    startsWith: autopilotChanged,
    // For each change.
    again: true,
  },
  'billing-event': {
    workflow: billingEvent,
    summary: ({ eventId }) => `Handle event ${eventId} of the payment provider`,
    // Its workflow may have been ended early, such as by an operator. It leaves a handled event alone.
    again: true,
  },
  bulk: {
    workflow: bulk,
    summary: ({ jobId }) => `Bulk job ${jobId}`,
    startsWith: wake,
    // Its workflow may have been ended early, such as by an operator. It leaves an ended job alone.
    again: true,
    taskTimeout: '3 seconds',
  },
  'cache-purge': { workflow: cachePurge, summary: () => 'Purge stale URLs from the cache' },
  channel: {
    workflow: channel,
    summary: ({ channelId }) => `Send channel ${channelId} what its Site was told`,
    startsWith: told,
    // For what comes after it has ended.
    again: true,
  },
  'cms-push': {
    workflow: cmsPush,
    summary: ({ connectionId }) => `Push articles by connection ${connectionId}`,
    startsWith: push,
    // For each push after it has ended.
    again: true,
    taskQueue: PUSH_TASK_QUEUE,
    // After this long, another worker goes on for a killed one, which still has the lease for some seconds.
    taskTimeout: '10 seconds',
  },
  'key-rotation': {
    workflow: keyRotation,
    summary: ({ keyId }) => `Retire the replaced secrets of key ${keyId} when their graces end`,
    startsWith: cut,
    // For each rotation after it has ended.
    again: true,
  },
  messages: {
    workflow: messages,
    summary: ({ memberId }) => `Mail member ${memberId} what they were told`,
    startsWith: told,
    // For what comes after it has ended.
    again: true,
  },
  'object-removal': { workflow: objectRemoval, summary: () => 'Delete the object of a deleted row' },
  'organisation-deletion': {
    workflow: organisationDeletion,
    summary: ({ organisationId }) => `Delete organisation ${organisationId} with all its Sites`,
    // A second request starts it again, should it have been terminated.
    again: true,
  },
  'pending-edit': {
    workflow: pendingEdit,
    summary: ({ articleId }) => `Publish the pending edit of article ${articleId} at its time`,
    signals: { cancel },
    startsWith: reschedule,
    // The article may have another edit, or this one another time.
    again: true,
    taskTimeout: '3 seconds',
  },
  'pipeline-run': {
    workflow: pipelineRun,
    summary: ({ runId }) => `Pipeline run ${runId}`,
    signals: { cancel: cancelRun },
    // Its workflow may have been ended early, such as by an operator. It leaves an ended run alone.
    again: true,
  },
  'scheduled-publish': {
    workflow: scheduledPublish,
    summary: ({ articleId }) => `Publish article ${articleId} at its time`,
    signals: { cancel },
    startsWith: reschedule,
    // An article may be scheduled again after it was published or its schedule cancelled.
    again: true,
    taskTimeout: '3 seconds',
  },
  'seo-scan': {
    workflow: seoScan,
    summary: ({ scanId }) => `Scan ${scanId}`,
    signals: { cancel: cancelScan },
    // Its workflow may have been ended early, such as by an operator. It leaves an ended scan alone.
    again: true,
  },
  'site-deletion': {
    workflow: siteDeletion,
    summary: ({ siteId }) => `Delete everything of Site ${siteId}`,
    // A second request starts it again, should it have been terminated.
    again: true,
  },
  'subscription-grace': {
    workflow: subscriptionGrace,
    summary: ({ subscriptionId }) =>
      `Take the plan of subscription ${subscriptionId} back 7 days after a failed renewal`,
    signals: { changed: graceChanged },
    startsWith: graceBegun,
    // A later renewal may fail too.
    again: true,
  },
  'top-up': {
    workflow: topUp,
    summary: ({ paymentId }) => `Buy a pack of credits with the saved card: ${paymentId}`,
    // Its workflow may have been ended early, such as by an operator. It leaves an ended purchase alone.
    again: true,
  },
  'upload-reservation': {
    workflow: uploadReservation,
    summary: ({ uploadId }) => `Sweep upload ${uploadId}`,
    signals: { registered, rejected },
  },
  'webhook-endpoint': {
    workflow: webhookEndpoint,
    summary: ({ endpointId }) => `Deliver webhooks to endpoint ${endpointId}`,
    startsWith: deliver,
    again: true,
    taskQueue: WEBHOOK_TASK_QUEUE,
    // A run of the pump takes little more than 2 s, and its worker sends a heartbeat after four fifths of this.
    taskTimeout: '5 seconds',
  },
};

/**
 * Starts or signals the workflow that a message is for. Idempotent.
 *
 * @throws if Temporal cannot be reached or refuses
 */
export async function startOrSignal<K extends Kind>(client: Client, message: MessageOf<K>): Promise<void> {
  const { workflow_id: workflowId, payload } = message;
  const declared: Declaration<K> = workflows[message.kind];
  const { signal: name, ...input } = payload as { readonly signal?: SignalOf<K> };
  const signal = name === undefined ? undefined : declared.signals?.[name];
  if (signal !== undefined) return signalIfRunning(client, workflowId, signal);
  const { workflow, startsWith, taskTimeout } = declared;
  const options = {
    taskQueue: declared.taskQueue ?? TASK_QUEUE,
    workflowId,
    args: [input] as never,
    workflowIdReusePolicy: declared.again ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
    ...(taskTimeout !== undefined && { workflowTaskTimeout: taskTimeout }),
    typedSearchAttributes: new TypedSearchAttributes(attributesOf(input)),
    staticSummary: declared.summary(payload),
  } as const;
  try {
    if (startsWith === undefined) await client.workflow.start(workflow, options);
    else await client.workflow.signalWithStart(workflow, { ...options, signal: startsWith });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Signals a workflow that runs; otherwise does nothing. */
export async function signalIfRunning(
  client: Client,
  workflowId: string,
  signal: SignalDefinition,
): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal(signal);
  } catch (error) {
    // The workflow has ended or never started. One that starts later reads the current row anyway.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** The ids of an input that are search attributes. */
const attributesOf = (input: object): SearchAttributePair[] =>
  Object.entries(searchAttributes).flatMap(([name, key]) => {
    const value = (input as Record<string, unknown>)[name];
    return typeof value === 'string' ? [{ key, value }] : [];
  });
