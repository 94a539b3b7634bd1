import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { claimMessages, LONGEST_BACK_OFF_MS, removeMessages, retryMessage } from '../db/outbox.ts';
import type { StoredRow } from '../db/outbox.ts';
import type { Clock } from '../domain/clock.ts';
import { readMessage } from '../domain/workflow-messages.ts';
import { handOverTried } from '../observability/metrics/relay.ts';
import { inTraceOf } from '../observability/tracing/trace.ts';
import type { SpanDescription } from '../observability/tracing/trace.ts';
import { startOrSignal } from './start-workflow.ts';

export interface RelayPorts {
  readonly db: Database;
  /** May change: it is the one of the current connection to Temporal. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** Poll interval in milliseconds, because a NOTIFY may be lost. */
  readonly pollMs?: number;
}

/** Approximate number of messages handed over concurrently in one transaction, shared among Sites. */
const BATCH = 100;
const POLL_MS = 1_000;
const CALL_TIMEOUT_MS = 5_000;
const LONGEST_AWAY_MS = 5_000;

/**
 * Hands committed messages over to Temporal: claims rows, starts or signals their workflows, deletes the rows. After a
 * crash in between they are handed over again, which the workflow ids make harmless. Any number of relays may run.
 */
export class Relay {
  readonly #ports: RelayPorts;
  #stopped = false;
  #woken = false;
  #wake: (() => void) | undefined;
  #loopedAt = performance.now();

  constructor(ports: RelayPorts) {
    this.#ports = ports;
  }

  /** Polls now. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  stop(): void {
    this.#stopped = true;
    this.wake();
  }

  /** Milliseconds since it last began to look for messages. */
  idleMs(): number {
    return performance.now() - this.#loopedAt;
  }

  /** Runs until stopped. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      this.#woken = false;
      this.#loopedAt = performance.now();
      // A failed message is postponed and does not count as more.
      const more = await this.#handOver().catch((error: unknown) => {
        this.#ports.log.error({ err: error }, 'the outbox could not be read');
        return false;
      });
      if (!more && !this.#woken && !this.#stopped) await this.#pause();
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#ports.pollMs ?? POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** @returns whether more may be due */
  #handOver(): Promise<boolean> {
    const { db, clock } = this.#ports;
    return db.transaction(async (tx) => {
      const now = clock.now();
      const { messages, more } = await claimMessages(tx, now, BATCH);
      if (messages.length === 0) return false;
      const outcomes = await Promise.all(messages.map((message) => this.#tryDeliver(message)));
      const delivered = messages.filter((_, index) => outcomes[index] === null);
      if (delivered.length > 0)
        await removeMessages(
          tx,
          delivered.map(({ id }) => id),
        );
      for (const [index, message] of messages.entries()) {
        const failure = outcomes[index];
        if (failure)
          await retryMessage(
            tx,
            message.id,
            failure.reason,
            new Date(now.getTime() + backOff(message.attempts, failure)),
          );
      }
      return more;
    });
  }

  /** @returns what went wrong, or null */
  async #tryDeliver(row: StoredRow): Promise<Failure | null> {
    const { client, log } = this.#ports;
    try {
      await inTraceOf(row.traceparent, describe(row), () =>
        client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => startOrSignal(client, readMessage(row))),
      );
      handOverTried(row.kind, 'handed_over');
      return null;
    } catch (error) {
      const { id, kind, workflow_id, attempts } = row;
      handOverTried(kind, 'failed');
      log.warn(
        { err: error, outbox_id: id, kind, workflow_id, site_id: siteOf(row), attempts: attempts + 1 },
        'a message could not be handed over',
      );
      return { reason: reasonOf(error), refused: isRefused(error) };
    }
  }
}

const describe = (row: StoredRow): SpanDescription => ({
  name: `relay ${row.kind}`,
  kind: 'consumer',
  attributes: { workflow_id: row.workflow_id, site_id: siteOf(row), attempt: row.attempts + 1 },
});

/** The Site for logs and spans, even if the row cannot be read as a message. */
function siteOf({ payload }: StoredRow): string | undefined {
  const { siteId } = (payload ?? {}) as { readonly siteId?: unknown };
  return typeof siteId === 'string' ? siteId : undefined;
}

/** Temporal's client only says what it tried; the cause says why that failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** What went wrong, for an operator, and whether the message itself was refused. */
interface Failure {
  readonly reason: string;
  readonly refused: boolean;
}

/**
 * gRPC's INVALID_ARGUMENT. An error without a gRPC code did not come from the server, such as an unreadable message.
 */
const INVALID_ARGUMENT = 3;

/** Whether the message was refused or could not be sent, as opposed to Temporal being unavailable. */
function isRefused(error: unknown): boolean {
  const code = error instanceof Error ? (error.cause as { code?: unknown } | undefined)?.code : undefined;
  return typeof code !== 'number' || code === INVALID_ARGUMENT;
}

/**
 * 200 ms, doubled with each attempt: up to a minute if the message is refused, because it may never succeed; up to 5 s
 * if Temporal is unavailable, so that messages are not late for long once it is back.
 */
const backOff = (attempts: number, { refused }: Failure): number =>
  Math.min(refused ? LONGEST_BACK_OFF_MS : LONGEST_AWAY_MS, 200 * 2 ** Math.min(attempts, 16));
