import pg from 'pg';
import type { Logger } from 'pino';
import type { Channel } from '../db/database.ts';

const RECONNECT_MS = 1_000;

/** Calls back for each NOTIFY on a channel, over a connection of its own that is made anew when it breaks. */
export function listen(
  databaseUrl: string,
  channel: Channel,
  onNotify: () => void,
  log: Logger,
): { close(): void } {
  let client: pg.Client | undefined;
  let closed = false;
  const connect = async (): Promise<void> => {
    const current = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'presswork-relay',
      keepAlive: true,
    });
    client = current;
    current.on('notification', onNotify);
    current.on('error', (error) =>
      log.warn({ err: error }, 'the connection that listens for the outbox broke'),
    );
    current.on('end', () => {
      if (!closed) setTimeout(() => void connect(), RECONNECT_MS);
    });
    try {
      await current.connect();
      await current.query(`listen ${channel}`);
      // Whatever came while nobody listened.
      onNotify();
    } catch (error) {
      log.warn({ err: error }, 'nobody listens for the outbox; the poll goes on');
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
