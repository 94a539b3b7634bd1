import { approvalOperations } from './approvals/operations.ts';
import { articleOperations } from './articles/operations.ts';
import { metaOperation } from './articles/meta-operation.ts';
import { revisionOperations } from './articles/revision-operations.ts';
import { auditLogOperations } from './audit-log/operations.ts';
import { billingOperations } from './billing/operations.ts';
import { bulkOperations } from './bulk/operations.ts';
import { contentTypeOperations } from './content-types/operations.ts';
import { autopilotOperations } from './content-plan/autopilot-operations.ts';
import { planOperations } from './content-plan/operations.ts';
import { connectionOperations } from './cms/connection-operations.ts';
import { pushOperations } from './cms/push-operations.ts';
import { deviceOperations } from './device/operations.ts';
import { moderationOperations } from './comments/moderation-operations.ts';
import { readerCommentOperations } from './comments/reader-operations.ts';
import { keyOperations } from './keys/operations.ts';
import { mediaOperations } from './media/operations.ts';
import { metaOperations } from './meta/operations.ts';
import type { Operation } from './operation.ts';
import { organisationOperations } from './organisation/operations.ts';
import { pendingEditOperations } from './pending-edits/operations.ts';
import { promptOperations } from './prompts/operations.ts';
import { previewOperations } from './previews/operations.ts';
import { pipelineOperations } from './pipeline/operations.ts';
import { backlinkOperations } from './seo/backlinks/operations.ts';
import { findingOperations } from './seo/findings/operations.ts';
import { scanOperations } from './seo/scans/operations.ts';
import { teamOperations } from './team/operations.ts';
import { authorOperations } from './taxonomy/author-operations.ts';
import { deliveryOperations } from './webhooks/delivery-operations.ts';
import { webhookOperations } from './webhooks/endpoint-operations.ts';
import { eventOperations } from './webhooks/event-operations.ts';
import { categoryOperations, tagOperations } from './taxonomy/term-operations.ts';
import { siteOperations } from './site/operations.ts';
import { usageOperations } from './usage/operations.ts';

/** Every operation of the service. */
export const operations: readonly Operation[] = [
  ...metaOperations,
  ...siteOperations,
  ...contentTypeOperations,
  ...promptOperations,
  ...usageOperations,
  ...billingOperations,
  ...articleOperations,
  metaOperation,
  ...bulkOperations,
  ...revisionOperations,
  ...pendingEditOperations,
  ...previewOperations,
  ...categoryOperations,
  ...tagOperations,
  ...authorOperations,
  ...mediaOperations,
  ...readerCommentOperations,
  ...moderationOperations,
  ...planOperations,
  ...autopilotOperations,
  ...pipelineOperations,
  ...backlinkOperations,
  ...scanOperations,
  ...findingOperations,
  ...keyOperations,
  ...deviceOperations,
  ...organisationOperations,
  ...teamOperations,
  ...auditLogOperations,
  ...approvalOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...eventOperations,
  ...connectionOperations,
  ...pushOperations,
];
