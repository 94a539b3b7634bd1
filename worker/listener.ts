import type { Logger } from 'pino';
import { Client, connectionSettings } from '../db/client.ts';
import type { Access } from '../db/client.ts';
import { destroyConnection } from '../db/connection.ts';
import { apiTimeouts } from '../db/timeouts.ts';
import type { Channel } from '../db/effects.ts';

/** The name of the connection in PostgreSQL, by which workers find each other. */
export const LISTENER = 'presswork-listener';

const RECONNECT_MS = 1_000;
/** How often the connection is checked, and the time-out of a check. */
const ASKED_EVERY_MS = 3_000;
const ANSWER_MS = 3_000;

export interface Listener {
  /** The process id of the connection in PostgreSQL; null while it does not listen. */
  pid(): number | null;
  close(): void;
}

/** @throws Error if the server is a standby by now: notifications are sent on the server that takes writes */
function leaveStandby(client: Client): void {
  if (client.isReadOnly) throw new Error('The server is read-only, as a standby is');
}

/**
 * Calls back for each NOTIFY on a channel, over its own connection. A broken or silent connection is replaced within
 * seconds. Notifications in between are lost, so the callers also poll.
 */
export function listen(
  databaseUrl: string,
  log: Logger,
  callbacks: Readonly<Record<Channel, (payload: string) => void>>,
  { password }: Pick<Access, 'password'> = {},
): Listener {
  let client: Client | undefined;
  let pid: number | null = null;
  let closed = false;
  let reconnecting: NodeJS.Timeout | undefined;
  const connectLater = (): void => {
    if (!closed) reconnecting = setTimeout(() => void connect(), RECONNECT_MS);
  };
  const refused = (error: unknown): void =>
    log.warn({ err: error }, 'cannot listen for notifications; polling continues');
  const connect = async (): Promise<void> => {
    let current: Client;
    try {
      // Reads the files that the URL names, such as a certificate that is being replaced.
      current = new Client({
        ...connectionSettings(databaseUrl, LISTENER, apiTimeouts, { password }),
        query_timeout: ANSWER_MS,
      });
    } catch (error) {
      refused(error);
      return connectLater();
    }
    client = current;
    let asking: NodeJS.Timeout | undefined;
    current.on('notification', ({ channel, payload = '' }) => callbacks[channel as Channel]?.(payload));
    current.on('error', (error) =>
      log.warn({ err: error }, 'the connection that listens for notifications broke'),
    );
    current.on('end', () => {
      pid = null;
      clearInterval(asking);
      connectLater();
    });
    try {
      await current.connect();
      leaveStandby(current);
      // Not the number that the driver got when it connected: a pooler in between makes its own numbers.
      const { rows } = await current.query<{ pid: number }>('select pg_backend_pid() as pid');
      for (const channel of Object.keys(callbacks)) await current.query(`listen ${channel}`);
      pid = rows[0]?.pid ?? null;
      asking = setInterval(
        () =>
          void current
            .query('select')
            .then(() => leaveStandby(current))
            .catch(() => destroyConnection(current)),
        ASKED_EVERY_MS,
      );
    } catch (error) {
      refused(error);
      destroyConnection(current);
    }
  };
  void connect();
  return {
    pid: () => pid,
    close() {
      closed = true;
      clearTimeout(reconnecting);
      void client?.end().catch(() => {});
    },
  };
}
