import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import {
  claimMessages,
  LONGEST_BACK_OFF_MS,
  readMessage,
  removeMessages,
  retryMessage,
} from '../db/outbox.ts';
import type { StoredRow } from '../db/outbox.ts';
import type { Clock } from '../domain/clock.ts';
import { handOverTried } from '../metrics/relay.ts';
import { inTraceOf } from '../tracing/trace.ts';
import type { SpanDescription } from '../tracing/trace.ts';
import { deliver } from './deliver.ts';

export interface RelayPorts {
  readonly db: Database;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** The poll beneath NOTIFY, which may be lost; in milliseconds. */
  readonly pollMs?: number;
}

/** Messages handed over side by side, in one transaction. */
const BATCH = 100;
const POLL_MS = 1_000;
const CALL_TIMEOUT_MS = 5_000;
const LONGEST_AWAY_MS = 5_000;

/**
 * Hands committed messages over to Temporal: claims rows, starts or signals their workflows, deletes them. A
 * crash in between hands them over again, which the workflows' ids make harmless. Any number may run.
 */
export class Relay {
  readonly #ports: RelayPorts;
  #stopped = false;
  #woken = false;
  #wake: (() => void) | undefined;

  constructor(ports: RelayPorts) {
    this.#ports = ports;
  }

  /** Looks at once, instead of at the next poll. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  stop(): void {
    this.#stopped = true;
    this.wake();
  }

  /** Runs until stopped. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      this.#woken = false;
      const handed = await this.#handOver().catch((error: unknown) => {
        this.#ports.log.error({ err: error }, 'the outbox could not be read');
        return 0;
      });
      if (handed < BATCH && !this.#woken && !this.#stopped) await this.#pause();
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

  #handOver(): Promise<number> {
    const { db, clock } = this.#ports;
    return db.transaction(async (tx) => {
      const now = clock.now();
      const messages = await claimMessages(tx, now, BATCH);
      if (messages.length === 0) return 0;
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
      return delivered.length;
    });
  }

  /** @returns what went wrong, or null */
  async #tryDeliver(row: StoredRow): Promise<Failure | null> {
    const { client, log } = this.#ports;
    try {
      await inTraceOf(row.traceparent, describe(row), () =>
        client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => deliver(client, readMessage(row))),
      );
      handOverTried(row.kind, 'handed_over');
      return null;
    } catch (error) {
      const { id, kind, workflow_id, attempts } = row;
      handOverTried(kind, 'put_off');
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

/** For the log and spans: what cannot be read as a message may still say whose it is. */
function siteOf({ payload }: StoredRow): string | undefined {
  const { siteId } = (payload ?? {}) as { readonly siteId?: unknown };
  return typeof siteId === 'string' ? siteId : undefined;
}

/** Temporal's client says only what it tried; why that failed stands in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** What went wrong, for an operator to read, and whether it is the message itself that was refused. */
interface Failure {
  readonly reason: string;
  readonly refused: boolean;
}

/** gRPC's INVALID_ARGUMENT. What comes from no server at all, such as a message that cannot be read, is none of its codes. */
const INVALID_ARGUMENT = 3;

/** Whether Temporal refused the message, or it could not even be sent; and not: Temporal is away. */
function isRefused(error: unknown): boolean {
  const code = error instanceof Error ? (error.cause as { code?: unknown } | undefined)?.code : undefined;
  return typeof code !== 'number' || code === INVALID_ARGUMENT;
}

/**
 * 200 ms, doubled with each attempt: up to a minute where it is refused, since a message that can never be delivered
 * holds up no other; up to 5 s while Temporal is away, so that what waited is not late for long once it is back.
 */
const backOff = (attempts: number, { refused }: Failure): number =>
  Math.min(refused ? LONGEST_BACK_OFF_MS : LONGEST_AWAY_MS, 200 * 2 ** Math.min(attempts, 16));
