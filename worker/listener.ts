import pg from 'pg';
import type { Logger } from 'pino';
import type { Channel } from '../db/transaction.ts';

const RECONNECT_MS = 1_000;

/**
 * Calls back for each NOTIFY on a channel, over a connection of its own that is made anew when it breaks. What
 * is announced meanwhile is lost, which is why whoever listens also polls.
 */
export function listen(
  databaseUrl: string,
  log: Logger,
  callbacks: Readonly<Record<Channel, (payload: string) => void>>,
): { close(): void } {
  let client: pg.Client | undefined;
  let closed = false;
  const connect = async (): Promise<void> => {
    const current = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'presswork-listener',
      keepAlive: true,
    });
    client = current;
    current.on('notification', ({ channel, payload = '' }) => callbacks[channel as Channel]?.(payload));
    current.on('error', (error) =>
      log.warn({ err: error }, 'the connection that listens for notifications broke'),
    );
    current.on('end', () => {
      if (!closed) setTimeout(() => void connect(), RECONNECT_MS);
    });
    try {
      await current.connect();
      for (const channel of Object.keys(callbacks)) await current.query(`listen ${channel}`);
    } catch (error) {
      log.warn({ err: error }, 'nobody listens for notifications; the polls go on');
      await current.end().catch(() => {});
    }
  };
  void connect();
  return {
    close() {
      closed = true;
      void client?.end().catch(() => {});
    },
  };
}
