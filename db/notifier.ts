import type { Run } from './statements.ts';
import type { Channel } from './effects.ts';

const NOTIFY = { name: 'notify', text: 'select pg_notify($1, $2)' };
/** Maximum number of payloads in one NOTIFY: it may have 8,000 bytes, and payloads are ids or times. */
const MAX_PAYLOADS = 150;
/** Maximum number of payloads that wait for a channel. The listeners' poll finds the others. */
const MAX_WAITING = 10_000;

/**
 * Sends NOTIFY after the commit, in its own statement: inside the transaction it would hold a lock on the whole
 * database until the commit is flushed, one commit at a time. If a crash or a silent database loses it, the listeners'
 * slow poll finds the work. At most one NOTIFY is in flight for each channel; payloads that arrive meanwhile are joined
 * by commas in the next.
 */
export function createNotifier(run: Run): (channel: Channel, payload: string) => void {
  const waiting = new Map<Channel, Set<string>>();
  const send = async (channel: Channel, payloads: Set<string>): Promise<void> => {
    while (payloads.size > 0) {
      const now = [...payloads].slice(0, MAX_PAYLOADS);
      for (const payload of now) payloads.delete(payload);
      await run(NOTIFY, [channel, now.join(',')]).catch(() => {});
    }
    waiting.delete(channel);
  };
  return (channel, payload) => {
    const payloads = waiting.get(channel);
    if (payloads) {
      if (payloads.size < MAX_WAITING) payloads.add(payload);
      return;
    }
    const fresh = new Set([payload]);
    waiting.set(channel, fresh);
    void send(channel, fresh);
  };
}
