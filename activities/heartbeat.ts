import { Context } from '@temporalio/activity';

const EVERY_MS = 5_000;

/** Tells Temporal that the activity's worker is alive, so that another one soon continues the work of a dead one. */
export async function withHeartbeat<T>(work: () => Promise<T>, everyMs = EVERY_MS): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
