import { approvalOperations } from './resources/approvals/operations.ts';
import { articleOperations } from './resources/articles/operations.ts';
import { metaOperation } from './resources/articles/meta-operation.ts';
import { revisionOperations } from './resources/articles/revision-operations.ts';
import { auditLogOperations } from './resources/audit-log/operations.ts';
import { billingOperations } from './resources/billing/operations.ts';
import { bulkOperations } from './resources/bulk/operations.ts';
import { contentTypeOperations } from './resources/content-types/operations.ts';
import { autopilotOperations } from './resources/content-plan/autopilot-operations.ts';
import { planOperations } from './resources/content-plan/operations.ts';
import { connectionOperations } from './resources/cms/connection-operations.ts';
import { pushOperations } from './resources/cms/push-operations.ts';
import { deviceOperations } from './resources/device/operations.ts';
import { moderationOperations } from './resources/comments/moderation-operations.ts';
import { readerCommentOperations } from './resources/comments/reader-operations.ts';
import { keyOperations } from './resources/keys/operations.ts';
import { mediaOperations } from './resources/media/operations.ts';
import { metaOperations } from './resources/meta/operations.ts';
import type { Group } from './framework/groups.ts';
import type { Declared, Operation } from './framework/operation.ts';
import { claimOperations } from './resources/claims/operations.ts';
import { noteOperations } from './resources/notes/operations.ts';
import { channelOperations } from './resources/notifications/channel-operations.ts';
import { notificationOperations } from './resources/notifications/operations.ts';
import { organisationOperations } from './resources/organisation/operations.ts';
import { pendingEditOperations } from './resources/pending-edits/operations.ts';
import { reviewOperations } from './resources/reviews/operations.ts';
import { promptOperations } from './resources/prompts/operations.ts';
import { promptTryOperations } from './resources/prompts/try-operation.ts';
import { previewOperations } from './resources/previews/operations.ts';
import { pipelineOperations } from './resources/pipeline/operations.ts';
import { backlinkOperations } from './resources/seo/backlinks/operations.ts';
import { findingOperations } from './resources/seo/findings/operations.ts';
import { scanOperations } from './resources/seo/scans/operations.ts';
import { teamOperations } from './resources/team/operations.ts';
import { authorOperations } from './resources/taxonomy/author-operations.ts';
import { deliveryOperations } from './resources/webhooks/delivery-operations.ts';
import { webhookOperations } from './resources/webhooks/endpoint-operations.ts';
import { eventOperations } from './resources/webhooks/event-operations.ts';
import { categoryOperations, tagOperations } from './resources/taxonomy/term-operations.ts';
import { siteOperations } from './resources/site/operations.ts';
import { usageOperations } from './resources/usage/operations.ts';
import { voiceOperations } from './resources/voice/operations.ts';

const under = (group: Group, ...declared: readonly (readonly Declared[])[]): readonly Operation[] =>
  declared.flat().map((one) => ({ ...one, group }));

/** Every operation of the service, under its heading in the reference. */
export const operations: readonly Operation[] = [
  ...under('Meta', metaOperations, siteOperations),
  ...under('Formats', contentTypeOperations),
  ...under('Prompts', promptOperations, promptTryOperations, voiceOperations),
  ...under('Usage', usageOperations),
  ...under('Billing', billingOperations),
  ...under(
    'Articles',
    articleOperations,
    [metaOperation],
    bulkOperations,
    revisionOperations,
    pendingEditOperations,
  ),
  ...under('Reviews', reviewOperations),
  ...under('Notes', noteOperations),
  ...under('Previews', previewOperations),
  ...under('Categories', categoryOperations),
  ...under('Tags', tagOperations),
  ...under('Authors', authorOperations),
  ...under('Media', mediaOperations),
  ...under('Comments', readerCommentOperations, moderationOperations),
  ...under('Content plan', planOperations, autopilotOperations),
  ...under('Pipeline', [...pipelineOperations, ...claimOperations]),
  ...under('SEO', backlinkOperations, scanOperations, findingOperations),
  ...under('API keys', keyOperations),
  ...under('Device sign-in', deviceOperations),
  ...under('Organisation', organisationOperations),
  ...under('Team', teamOperations),
  ...under('Notifications', [...notificationOperations, ...channelOperations]),
  ...under('Audit log', auditLogOperations),
  ...under('Approvals', approvalOperations),
  ...under('Webhooks', webhookOperations, deliveryOperations),
  ...under('Events', eventOperations),
  ...under('Pushes', connectionOperations, pushOperations),
];
