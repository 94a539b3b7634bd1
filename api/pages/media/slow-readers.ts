import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { slowReaderCut } from '../../../observability/metrics/requests.ts';

const CHECK_MS = 1_000;
/** The longest time without any progress. */
const STALL_MS = 10_000;
/** The minimum average rate in bytes per second, checked after a grace period. */
const GRACE_MS = 20_000;
const MINIMUM_RATE = 8_192;

/**
 * Closes the connection of a client that stops reading an answer, or reads it more slowly than a poor mobile
 * connection. Node limits the time for receiving a request, but not for sending an answer.
 *
 * @param answered aborted after the answer has been sent, or when the connection closes
 */
export function cutSlowReader({ socket }: IncomingMessage, answered: AbortSignal): void {
  const startedAt = performance.now();
  const before = sentBytes(socket);
  let [seen, movedAt] = [0, startedAt];
  const timer = setInterval(() => {
    const now = performance.now();
    const bytes = sentBytes(socket) - before;
    if (bytes > seen) [seen, movedAt] = [bytes, now];
    const stalled = now - movedAt > STALL_MS;
    const tooSlow = now - startedAt > GRACE_MS && bytes * 1_000 < (now - startedAt) * MINIMUM_RATE;
    if (!stalled && !tooSlow) return;
    slowReaderCut();
    // A reset, because after a normal close the kernel would keep the unsent bytes.
    socket.resetAndDestroy();
  }, CHECK_MS);
  answered.addEventListener('abort', () => clearInterval(timer));
  if (answered.aborted) clearInterval(timer);
}

/** Bytes that the kernel has accepted, without those still buffered in the process. */
const sentBytes = (socket: Socket): number => socket.bytesWritten - socket.writableLength;
