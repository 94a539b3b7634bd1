import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { claimMessages, LONGEST_BACK_OFF_MS, settleMessages } from '../db/outbox.ts';
import type { ClaimedRow, HandOver, StoredRow } from '../db/outbox.ts';
import { createBatcher } from '../db/throughput/batcher.ts';
import type { Clock } from '../domain/kernel/clock.ts';
import { readMessage } from '../domain/kernel/workflow-messages.ts';
import { handOverTried } from '../observability/metrics/relay.ts';
import { inTraceOf } from '../observability/tracing/trace.ts';
import type { SpanDescription } from '../observability/tracing/trace.ts';
import { Pause } from './pause.ts';
import { startOrSignal } from './start-workflow.ts';

export interface RelayPorts {
  readonly db: Database;
  /** May change: it is the one of the current connection to Temporal. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** Waits before each look, at most some seconds, while the processor is needed for what is more urgent. */
  readonly mayLook?: () => Promise<void>;
  /** Poll interval in milliseconds, because a NOTIFY may be lost. */
  readonly pollMs?: number;
}

/**
 * Messages that are handed over at the same time, and those of one organisation: with more to do, it waits for itself, and
 * a message of another is handed over at once.
 */
const AT_ONCE = 100;
const AT_ONCE_OF_ORGANISATION = 20;
const POLL_MS = 1_000;
const CALL_TIMEOUT_MS = 5_000;
const LONGEST_AWAY_MS = 5_000;

/**
 * Hands committed messages over to Temporal: claims rows for some seconds, starts or signals their workflows, deletes the
 * rows. After a crash in between they are handed over again, which the workflow ids make harmless. No transaction is open
 * while Temporal is called. Any number of relays may run.
 */
export class Relay {
  readonly #ports: RelayPorts;
  #stopped = false;
  #woken = false;
  readonly #pause = new Pause();
  #loopedAt = performance.now();
  /** Whether more was due than could be taken. */
  #isBehind = false;
  readonly #handOvers = new Set<Promise<void>>();
  /** How many of each organisation. */
  readonly #underWay = new Map<string, number>();
  readonly #settle: (outcome: HandOver) => Promise<unknown>;

  constructor(ports: RelayPorts) {
    this.#ports = ports;
    this.#settle = createBatcher(async (outcomes: readonly HandOver[]) => {
      await settleMessages(ports.db, outcomes);
      return outcomes;
    });
  }

  /** Polls now. */
  wake(): void {
    this.#woken = true;
    this.#pause.end();
  }

  stop(): void {
    this.#stopped = true;
    this.wake();
  }

  /** Milliseconds since it last began to look for messages. */
  idleMs(): number {
    return performance.now() - this.#loopedAt;
  }

  /** Runs until stopped, and until everything that was under way has ended. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      this.#woken = false;
      this.#loopedAt = performance.now();
      const more = await this.#begin().catch((error: unknown) => {
        this.#ports.log.error({ err: error }, 'the outbox could not be read');
        return false;
      });
      if (!more && !this.#woken && !this.#stopped) await this.#pause.wait(this.#ports.pollMs ?? POLL_MS);
    }
    await Promise.all(this.#handOvers);
  }

  /** Begins to hand over due messages, as far as there is room. @returns whether there may be more, with room */
  async #begin(): Promise<boolean> {
    const { db, clock, mayLook } = this.#ports;
    await mayLook?.();
    const count = AT_ONCE - this.#handOvers.size;
    this.#isBehind = true;
    if (count <= 0) return false;
    const claimed = await claimMessages(db, clock.now(), {
      count,
      ofOrganisation: AT_ONCE_OF_ORGANISATION,
      underWay: this.#underWay,
    });
    for (const message of claimed) this.#start(message);
    const more = claimed.some(({ full }) => full);
    this.#isBehind = more || [...this.#underWay.values()].some((count) => count >= AT_ONCE_OF_ORGANISATION);
    return more;
  }

  #start(message: ClaimedRow): void {
    const { organisation } = message;
    this.#count(organisation, 1);
    const handOver = this.#handOver(message).finally(() => {
      this.#count(organisation, -1);
      this.#handOvers.delete(handOver);
      if (this.#isBehind) this.wake();
    });
    this.#handOvers.add(handOver);
  }

  #count(organisation: string, by: 1 | -1): void {
    const count = (this.#underWay.get(organisation) ?? 0) + by;
    if (count > 0) this.#underWay.set(organisation, count);
    else this.#underWay.delete(organisation);
  }

  /** Never rejects: messages that cannot be settled are due again when its claim ends. */
  async #handOver(message: ClaimedRow): Promise<void> {
    const { clock, log } = this.#ports;
    const failure = await this.#tryDeliver(message);
    const retry = failure && {
      error: failure.reason,
      availableAt: new Date(clock.now().getTime() + backOff(message.attempts, failure)),
    };
    await this.#settle({ id: message.id, retry }).catch((error: unknown) => {
      log.error({ err: error, outbox_id: message.id }, 'the outbox could not be written');
    });
  }

  /** @returns the mistake, or null */
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

/** The failure, for an operator, and whether the message itself was refused. */
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
