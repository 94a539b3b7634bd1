import { z } from 'zod';
import type { Effects } from '../../db/effects.ts';
import { enqueue } from '../../db/outbox.ts';
import type { StoredRow } from '../../db/outbox.ts';
import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';

const id = z.string();

/**
 * @param names of the ids in the payload that follow the kind in the workflow's id
 * @param payload ids, and the `signal` if a workflow distinguishes messages; the Site's id is in each
 */
const kind = <Payload extends z.ZodRawShape>(
  names: readonly ((keyof Payload & string) | 'siteId')[],
  payload: Payload,
) => ({ names, payload: z.object({ ...payload, siteId: id }) });

/**
 * The messages of committed changes to workflows, by kind. `worker/start-workflow.ts` says what each starts or signals.
 */
const kinds = {
  approval: kind(['approvalId'], { approvalId: id, signal: z.enum(['asked', 'decide', 'use']) }),
  // These take no Site's share.
  'billing-event': { names: ['eventId'], payload: z.object({ eventId: id }) },
  'subscription-grace': {
    names: ['subscriptionId'],
    payload: z.object({ subscriptionId: id, signal: z.enum(['begun', 'changed']) }),
  },
  messages: { names: ['memberId'], payload: z.object({ memberId: id }) },
  'top-up': { names: ['paymentId'], payload: z.object({ paymentId: id }) },
  'autopilot-schedule': kind(['siteId'], { signal: z.enum(['changed']) }),
  bulk: kind(['jobId'], { jobId: id, signal: z.enum(['wake']) }),
  'cache-purge': kind(['purgeId'], { purgeId: id }),
  channel: kind(['channelId'], { channelId: id }),
  'cms-push': kind(['connectionId'], { connectionId: id }),
  'key-rotation': kind(['keyId'], { keyId: id }),
  'object-removal': kind(['objectId'], { objectId: id }),
  // Takes no Site's share.
  'organisation-deletion': { names: ['organisationId'], payload: z.object({ organisationId: id }) },
  'pending-edit': kind(['articleId'], { articleId: id, signal: z.enum(['reschedule', 'cancel']) }),
  'pipeline-run': kind(['runId'], { runId: id, signal: z.enum(['start', 'cancel']) }),
  'scheduled-publish': kind(['articleId'], { articleId: id, signal: z.enum(['reschedule', 'cancel']) }),
  'seo-scan': kind(['scanId'], { scanId: id, signal: z.enum(['start', 'cancel']) }),
  'site-deletion': kind(['siteId'], {}),
  'upload-reservation': kind(['uploadId'], {
    uploadId: id,
    signal: z.enum(['reserved', 'registered', 'rejected']),
  }),
  // Of changes to the endpoint; deliveries have an outbox of their own, the webhook queue.
  'webhook-endpoint': kind(['endpointId'], { endpointId: id }),
};

export type Kind = keyof typeof kinds;
export type PayloadOf<K extends Kind> = z.infer<(typeof kinds)[K]['payload']>;

export interface MessageOf<K extends Kind> {
  readonly kind: K;
  readonly workflow_id: string;
  readonly payload: PayloadOf<K>;
}

export type WorkflowMessage = { readonly [K in Kind]: MessageOf<K> }[Kind];

/** @param ids those that `kinds` names for the workflow's id, in that order */
export const workflowIdOf = (kind: Kind, ...ids: readonly string[]): string => [kind, ...ids].join('/');

export function workflowMessage<K extends Kind>(kind: K, payload: PayloadOf<K>): MessageOf<K> {
  const ids = kinds[kind].names.map((name) => String(payload[name as keyof PayloadOf<K>]));
  return { kind, workflow_id: workflowIdOf(kind, ...ids), payload };
}

/** Starts or signals a workflow after the commit. */
export const signalWorkflow = <K extends Kind>(
  tx: Effects,
  kind: K,
  payload: PayloadOf<K>,
  now: Date,
): void => enqueue(tx, workflowMessage(kind, payload), now);

const lostRow = z.object({ id: z.string(), site_id: z.string().optional() });

/**
 * A safety net for outbox and timers: starts or signals the workflows of rows again that should have been done. One that
 * is running is not started twice.
 *
 * @param lost selects the rows by `id`, and `site_id` if they are of Sites
 * @returns how many; more than zero means that something was lost
 */
export async function rescue<K extends Kind>(
  tx: Transaction,
  kind: K,
  signal: PayloadOf<K> extends { readonly signal: infer Signal } ? Signal : null,
  lost: FragmentSqlToken,
  now: Date,
): Promise<number> {
  const rows = await tx.any(sql.type(lostRow)`${lost} limit 500`);
  const { names, payload } = kinds[kind];
  for (const { id: lostId, site_id: siteId } of rows) {
    const message = payload.parse({ [names[0] as string]: lostId, siteId, signal });
    signalWorkflow(tx, kind, message as PayloadOf<K>, now);
  }
  return rows.length;
}

/**
 * @throws Error for a row that this version cannot read. The row must be kept: a newer version, which wrote it during a
 *   rolling update, can read it
 */
export function readMessage({ kind, workflow_id, payload }: StoredRow): WorkflowMessage {
  if (!Object.hasOwn(kinds, kind)) throw new Error(`A message of kind ${kind} cannot be read: it is unknown`);
  const read = kinds[kind as Kind].payload.safeParse(payload);
  if (!read.success)
    throw new Error(`A message of kind ${kind} cannot be read: ${z.prettifyError(read.error)}`);
  return { kind, workflow_id, payload: read.data } as WorkflowMessage;
}
