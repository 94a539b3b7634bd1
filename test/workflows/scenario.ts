import type { WorkflowHandle } from '@temporalio/client';
import type { BillingEventActivities } from '../../activities/billing-event.ts';
import type { ReconciliationActivities } from '../../activities/billing-reconciliation.ts';
import type { OverageActivities } from '../../activities/overage.ts';
import type { SubscriptionGraceActivities } from '../../activities/subscription-grace.ts';
import type { TopUpActivities } from '../../activities/top-up.ts';
import type { ApprovalActivities } from '../../activities/approval.ts';
import type { AutopilotActivities } from '../../activities/autopilot.ts';
import type { BulkActivities } from '../../activities/bulk.ts';
import type { CmsPushActivities } from '../../activities/cms-push.ts';
import type { SeoScanActivities } from '../../activities/seo-scan.ts';
import type { SpamSweepActivities } from '../../activities/spam-sweep.ts';
import type { WebhookEndpointActivities } from '../../activities/webhook-endpoint.ts';
import type { FinishForgottenActivities } from '../../activities/housekeeping/finish-forgotten.ts';
import type { KeepApprovalsActivities } from '../../activities/housekeeping/keep-approvals.ts';
import type { KeepEndpointsActivities } from '../../activities/housekeeping/keep-endpoints.ts';
import type { KeepCommentsActivities } from '../../activities/housekeeping/keep-comments.ts';
import type { OrganisationDeletionActivities } from '../../activities/organisation-deletion.ts';
import type { SiteDeletionActivities } from '../../activities/site-deletion.ts';
import type { ObjectRemovalActivities } from '../../activities/object-removal.ts';
import type { UploadReservationActivities } from '../../activities/upload-reservation.ts';
import type { HousekeepingActivities } from '../../activities/housekeeping.ts';
import type { RescueActivities } from '../../activities/rescue.ts';
import type { PendingEditActivities } from '../../activities/pending-edit.ts';
import type { PipelineRunActivities } from '../../activities/pipeline-run.ts';
import type { ScheduledPublishActivities } from '../../activities/scheduled-publish.ts';
import type { ChannelActivities } from '../../activities/channel.ts';
import type { MessagesActivities } from '../../activities/messages.ts';
import type { CachePurgeActivities } from '../../activities/cache-purge.ts';
import type { KeyRotationActivities } from '../../activities/key-rotation.ts';
import type { SweepForgottenActivities } from '../../activities/housekeeping/sweep-forgotten.ts';

type Activities = ScheduledPublishActivities &
  BillingEventActivities &
  TopUpActivities &
  SubscriptionGraceActivities &
  OverageActivities &
  ReconciliationActivities &
  AutopilotActivities &
  BulkActivities &
  CmsPushActivities &
  SeoScanActivities &
  PendingEditActivities &
  CachePurgeActivities &
  MessagesActivities &
  ChannelActivities &
  RescueActivities &
  HousekeepingActivities &
  FinishForgottenActivities &
  KeepApprovalsActivities &
  KeepCommentsActivities &
  KeepEndpointsActivities &
  UploadReservationActivities &
  ObjectRemovalActivities &
  OrganisationDeletionActivities &
  SiteDeletionActivities &
  SweepForgottenActivities &
  KeyRotationActivities &
  SpamSweepActivities &
  ApprovalActivities &
  PipelineRunActivities &
  WebhookEndpointActivities;

/** One run of a workflow to record: its activities decide what it goes through. */
export interface Scenario {
  readonly workflow: string;
  readonly input?: object;
  readonly activities: Partial<Activities>;
  /** Whether it never ends by itself. It is terminated after `during`. */
  readonly endless?: true;
  /** Signals and queries sent while it runs. */
  readonly during?: (workflow: WorkflowHandle) => Promise<void>;
}
