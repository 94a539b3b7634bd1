import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** The task queue for everything that has none of its own. */
export const TASK_QUEUE = 'presswork';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

/** Search attributes for the Temporal UI. */
export const searchAttributes = {
  siteId: keyword('SiteId'),
  articleId: keyword('ArticleId'),
  endpointId: keyword('EndpointId'),
  uploadId: keyword('UploadId'),
  keyId: keyword('KeyId'),
  runId: keyword('PipelineRunId'),
  approvalId: keyword('ApprovalId'),
  jobId: keyword('BulkJobId'),
  scanId: keyword('SeoScanId'),
  processState: keyword('ProcessState'),
} as const;

/** Webhook delivery has its own queue and slots, so that slow receivers delay nothing else. */
export const WEBHOOK_TASK_QUEUE = 'presswork-webhooks';

/** Pipeline stages have their own queue and slots, so that slow models delay nothing else. */
export const PIPELINE_TASK_QUEUE = 'presswork-pipeline';

/** Steps of scans have their own queue and slots, so that slow sites delay nothing else. */
export const SCAN_TASK_QUEUE = 'presswork-scans';

/** Pushes have their own queue and slots, so that slow remotes delay nothing else. */
export const PUSH_TASK_QUEUE = 'presswork-pushes';

/** Mail has its own queue and slots, so that a slow mail server delays nothing else. */
export const MESSAGES_TASK_QUEUE = 'presswork-messages';

/** Channels have their own queue and slots, so that a slow one delays nothing else. */
export const CHANNELS_TASK_QUEUE = 'presswork-channels';

/** Upkeep of the product, each by a workflow `upkeep/<chore>` of its own (workflows/upkeep.ts). */
export const chores = ['rescue', 'housekeeping', 'spam-sweep', 'endpoints'] as const;
export type Chore = (typeof chores)[number];
