import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** The task queue that every worker of the product polls. */
export const TASK_QUEUE = 'presswork';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

/** By what an operator finds a process in the Temporal UI. */
export const searchAttributes = {
  siteId: keyword('SiteId'),
  articleId: keyword('ArticleId'),
  endpointId: keyword('EndpointId'),
  uploadId: keyword('UploadId'),
  keyId: keyword('KeyId'),
  runId: keyword('PipelineRunId'),
  approvalId: keyword('ApprovalId'),
  processState: keyword('ProcessState'),
} as const;

/** Webhook delivery has a queue and slots of its own: receivers that hang hold up nothing else. */
export const WEBHOOK_TASK_QUEUE = 'presswork-webhooks';

/** The id of the process that delivers to an endpoint. */
export const webhookEndpointId = (endpointId: string): string => `webhook-endpoint/${endpointId}`;
