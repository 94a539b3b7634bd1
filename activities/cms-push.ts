import { Context } from '@temporalio/activity';
import { endWaiting, readPushQueue } from '../domain/cms/queue.ts';
import type { PushQueue } from '../domain/cms/queue.ts';
import { FairSemaphore, NoPermit } from '../runtime/fair-semaphore.ts';
import { createPusher } from './cms-push/pusher.ts';
import { findTenant } from '../domain/organisations/share.ts';
import type { Ports } from './ports.ts';

/** The waiting pushes of a connection. */
export interface PushQueueState {
  readonly exists: boolean;
  readonly enabled: boolean;
  readonly waiting: number;
  /** When to look again, ISO 8601, or null. */
  readonly nextAt: string | null;
  readonly lastError: string | null;
  /** Null once the connection is deleted. */
  readonly siteId: string | null;
}

const gone: PushQueueState = {
  exists: false,
  enabled: false,
  waiting: 0,
  nextAt: null,
  lastError: null,
  siteId: null,
};

/** Connections that are pushed to at the same time in this process, and those of one organisation. Git takes memory beside it. */
const AT_ONCE = { permits: 16, tenantPermits: 4 };
const GIT_AT_ONCE = { permits: 2, tenantPermits: 1 };
/** How long a call waits for its turn. */
const TURN_MS = 5_000;
/** Wait before another look while others have the turns, or the connection. */
const HELD_UP_MS = 1_000;
/** The most waiting items that one statement ends. */
const ENDED_AT_ONCE = 500;

/**
 * The side effects of pushes. Each is safe to run twice: one process at a time has the lease of a connection, and stores
 * what it is about to write before it writes it.
 */
export function createCmsPushActivities(
  ports: Pick<Ports, 'db' | 'clock' | 'log' | 'box' | 'objects' | 'adapters' | 'retryDelays'>,
) {
  const { db, clock } = ports;
  const pusher = createPusher(ports);
  const waits = { waiting: 10_000, tenantWaiting: 100, longestWaitMs: TURN_MS };
  const ofGit = new FairSemaphore({ ...GIT_AT_ONCE, ...waits });
  const ofOthers = new FairSemaphore({ ...AT_ONCE, ...waits });

  async function readState(connectionId: string): Promise<PushQueueState> {
    const queue = await readPushQueue(db, connectionId);
    if (queue === null) return gone;
    const { site_id: siteId, enabled, waiting, due_at: dueAt, last_error: lastError } = queue;
    return { exists: true, enabled, waiting, nextAt: dueAt && nextLook(queue, dueAt), lastError, siteId };
  }

  /** When an item is due, and the remote need not be left alone, and no other process pushes. */
  function nextLook({ held_until: heldUntil, leased_until: leasedUntil }: PushQueue, dueAt: Date): string {
    const now = clock.now().getTime();
    const others = [heldUntil, leasedUntil].map((time) => time?.getTime() ?? 0).filter((time) => time > now);
    return new Date(Math.max(dueAt.getTime(), ...others)).toISOString();
  }

  /** Ends the waiting pushes of a disabled connection. */
  async function endAll(connectionId: string): Promise<void> {
    for (;;) {
      const ended = await db.transaction((tx) => endWaiting(tx, connectionId, clock.now(), ENDED_AT_ONCE));
      if (ended < ENDED_AT_ONCE) return;
    }
  }

  return {
    /** Pushes due articles, for some seconds. @returns the waiting ones afterwards */
    async pushDue(connectionId: string): Promise<PushQueueState> {
      const queue = await readPushQueue(db, connectionId);
      if (queue === null) return gone;
      if (!queue.enabled) {
        await endAll(connectionId);
        return readState(connectionId);
      }
      const signal = Context.current().cancellationSignal;
      let pushed = false;
      try {
        const turns = queue.kind === 'git' ? ofGit : ofOthers;
        const tenant = await findTenant(db, queue.site_id);
        pushed = await turns.run(tenant, () => pusher.push(connectionId, signal), { signal });
      } catch (error) {
        if (!(error instanceof NoPermit)) throw error;
      }
      const after = await readState(connectionId);
      const due = after.nextAt !== null && Date.parse(after.nextAt) <= clock.now().getTime();
      // Looking again at once would be a busy loop.
      if (!pushed && due)
        return { ...after, nextAt: new Date(clock.now().getTime() + HELD_UP_MS).toISOString() };
      return after;
    },
  };
}

export type CmsPushActivities = ReturnType<typeof createCmsPushActivities>;
