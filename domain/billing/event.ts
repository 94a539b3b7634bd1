import { z } from 'zod';
import { at, json, sql, statement, timestamp } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { deleteBatch } from '../kernel/batch.ts';
import { rescue, signalWorkflow } from '../kernel/workflow-messages.ts';
import { paymentSeen } from './seen.ts';
import type { PaymentSeen } from './seen.ts';

const paymentFacts = z.object({
  about: z.literal('payment'),
  purchaseId: z.string().nullable(),
  sessionId: z.string().nullable(),
  intentId: z.string().nullable(),
  seen: paymentSeen,
});

const subscriptionFacts = z.object({
  about: z.literal('subscription'),
  id: z.string(),
  customerId: z.string().nullable(),
  /** null if the event does not say it. */
  priceIds: z.array(z.string()).nullable(),
  status: z.string().nullable(),
  currentPeriodEnd: z.string().nullable(),
  cancelAtPeriodEnd: z.boolean().nullable(),
});

/** The stored part of an event: which payment or subscription it is about, and what it says. null: nothing for us. */
export const eventFacts = z.discriminatedUnion('about', [paymentFacts, subscriptionFacts]).nullable();

export type PaymentFacts = z.infer<typeof paymentFacts>;
export type SubscriptionFacts = z.infer<typeof subscriptionFacts>;
export type EventFacts = z.infer<typeof eventFacts>;

/** An event of the provider whose signature was checked. */
export interface SignedEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly facts: EventFacts;
}

/** Stores an event and starts its workflow, both once. */
export async function storeEvent(tx: Transaction, event: SignedEvent, now: Date): Promise<void> {
  const stored = await tx.exec(statement`
    insert into billing_events (id, type, facts, created_at, received_at)
    values (${event.id}, ${event.type}, ${json(event.facts)}::jsonb, ${at(event.createdAt)}, ${at(now)})
    on conflict on constraint billing_events_pkey do nothing`);
  if (stored > 0) signalWorkflow(tx, 'billing-event', { eventId: event.id }, now);
}

const eventRow = z.object({
  id: z.string(),
  type: z.string(),
  facts: eventFacts,
  created_at: timestamp,
  handled_at: timestamp.nullable(),
});

export type StoredEvent = z.infer<typeof eventRow>;

export const findEvent = (db: Queryable, id: string): Promise<StoredEvent | null> =>
  db.maybeOne(sql.type(eventRow)`
    select id, type, facts, created_at, handled_at from billing_events where id = ${id}`);

const factsRow = z.object({ facts: paymentFacts });

/** A payment has a few events, each a few times. */
const MOST_TOLD = 1_000;

/** The facts of all events of a payment, in no order. */
export async function listTold(db: Queryable, intentId: string): Promise<readonly PaymentSeen[]> {
  const rows = await db.any(sql.type(factsRow)`
    select facts from billing_events where facts ->> 'intentId' = ${intentId} limit ${MOST_TOLD}`);
  return rows.map(({ facts }) => facts.seen);
}

export async function markHandled(db: Queryable, id: string, now: Date): Promise<void> {
  await db.exec(statement`
    update billing_events set handled_at = ${at(now)} where id = ${id} and handled_at is null`);
}

/** Starts the workflows of events that are still unhandled after `graceMs`: the provider may be unreachable. */
export function rescueEvents(tx: Transaction, now: Date, graceMs: number): Promise<number> {
  const lost = sql.fragment`
    select id from billing_events where handled_at is null and received_at < ${at(new Date(now.getTime() - graceMs))}
    order by received_at`;
  return rescue(tx, 'billing-event', null, lost, now);
}

/** The provider repeats an event for 3 days; an operator may send one again for 30. */
const KEPT_MS = 90 * 24 * 60 * 60_000;

/** Deletes a batch of old events. @returns how many */
export const deleteOldBillingEvents = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, {
    table: 'billing_events',
    by: 'handled_at',
    until: new Date(now.getTime() - KEPT_MS),
    size,
  });
