import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { StoredMessage } from '../db/outbox.ts';
import { searchAttributes, TASK_QUEUE } from '../temporal/names.ts';
import { cachePurge } from '../workflows/cache-purge.ts';
import { reschedule, cancel, scheduledPublish } from '../workflows/scheduled-publish.ts';

/**
 * Starts or signals the workflow that a message is for. Done twice it does the same as once.
 *
 * @throws where Temporal cannot be reached or refuses
 */
export async function deliver(client: Client, message: StoredMessage): Promise<void> {
  switch (message.kind) {
    case 'scheduled-publish':
      return message.payload.signal === 'reschedule'
        ? startOrWake(client, message)
        : endEarly(client, message);
    case 'cache-purge':
      return startPurge(client, message);
  }
}

type MessageOf<Kind extends StoredMessage['kind']> = Extract<StoredMessage, { kind: Kind }>;

async function startOrWake(client: Client, message: MessageOf<'scheduled-publish'>): Promise<void> {
  const { articleId, siteId } = message.payload;
  await client.workflow.signalWithStart(scheduledPublish, {
    taskQueue: TASK_QUEUE,
    workflowId: message.workflow_id,
    signal: reschedule,
    args: [{ articleId, siteId }],
    // An article may be scheduled again after it was published or its schedule taken back.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.siteId, value: siteId },
      { key: searchAttributes.articleId, value: articleId },
    ]),
    staticSummary: `Publish article ${articleId} at its time`,
  });
}

async function endEarly(client: Client, message: MessageOf<'scheduled-publish'>): Promise<void> {
  try {
    await client.workflow.getHandle(message.workflow_id).signal(cancel);
  } catch (error) {
    // It has ended, or never began: there is nothing left to cancel.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

async function startPurge(client: Client, message: MessageOf<'cache-purge'>): Promise<void> {
  try {
    await client.workflow.start(cachePurge, {
      taskQueue: TASK_QUEUE,
      workflowId: message.workflow_id,
      args: [message.payload],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      typedSearchAttributes: new TypedSearchAttributes([
        { key: searchAttributes.siteId, value: message.payload.siteId },
      ]),
      staticSummary: 'Tell the cache which addresses are stale',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
