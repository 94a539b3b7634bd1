import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { sessionOptions } from './timeouts.ts';
import type { Timeouts } from './timeouts.ts';

const CONNECT_MS = 5_000;

/** Whom a connection logs in as, and where. */
interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** The settings of a connection that a URL cannot have. */
export interface Access {
  /** Gives the password for each new connection, if the URL has none. */
  readonly password?: ((login: Login) => Promise<string>) | undefined;
  /** `transaction` if a pooler gives out connections for one transaction each (docs/decisions/0050). */
  readonly poolMode?: 'session' | 'transaction' | undefined;
}

export type ConnectionSettings = pg.ClientConfig & { readonly access: Access };

export function connectionSettings(
  databaseUrl: string,
  applicationName: string,
  timeouts: Timeouts,
  access: Access = {},
): ConnectionSettings {
  const { url, options, plain } = readUrl(databaseUrl);
  // A pooler that lends connections refuses `options`, or gives them to others too: there, each transaction sets its own.
  const ours = access.poolMode === 'transaction' ? '' : sessionOptions(timeouts);
  return {
    connectionString: url,
    // Otherwise the driver would look at PGSSLNEGOTIATION, and refuse to negotiate a feature that is switched off.
    ...(plain && { sslnegotiation: 'postgres' as const }),
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS,
    // Detects within half a minute that a server vanished without closing its connections, also for an idle connection.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: `${options} ${ours}`.trim(),
    access,
  };
}

/** Modes that the driver treats as `verify-full`, with a warning. */
const VERIFIED = new Set(['prefer', 'require', 'verify-ca']);

/**
 * The URL as the driver takes it. It would replace our options with `options` of the URL. Ours are appended, and win if
 * both set the same. Every `sslmode` but `disable` and `no-verify` checks the server's certificate.
 */
function readUrl(databaseUrl: string): { url: string; options: string; plain: boolean } {
  if (!databaseUrl.includes('?')) return { url: databaseUrl, options: '', plain: false };
  const url = new URL(databaseUrl);
  const { searchParams: parameters } = url;
  const options = parameters.get('options') ?? '';
  parameters.delete('options');
  if (VERIFIED.has(parameters.get('sslmode') ?? '')) parameters.set('sslmode', 'verify-full');
  // The driver would look for a file of this name; without one it uses the authorities that Node knows.
  if (parameters.get('sslrootcert') === 'system') parameters.delete('sslrootcert');
  return { url: url.href, options, plain: parameters.get('sslmode') === 'disable' };
}

/** A connection that knows whether its server takes writes: the server reports it at the start, and when it changes. */
export class Client extends pg.Client {
  readonly access: Access;
  /** When it was made, on the monotonic clock. */
  readonly since = performance.now();
  readonly #readOnly = { in_hot_standby: false, default_transaction_read_only: false };

  constructor(settings: ConnectionSettings) {
    super(settings);
    this.access = settings.access;
    const { password } = settings.access;
    // Set here, because the driver prefers the password of a URL, even if there is none. It is asked for once a connection.
    if (password !== undefined && !this.password)
      Object.assign(this, {
        password: () =>
          password({
            host: this.host,
            port: this.port,
            database: this.database ?? '',
            user: this.user ?? '',
          }),
      });
    this.connection.on('parameterStatus', ({ parameterName: name, parameterValue: value }) => {
      if (name in this.#readOnly) this.#readOnly[name as 'in_hot_standby'] = value === 'on';
    });
  }

  get isReadOnly(): boolean {
    return this.#readOnly.in_hot_standby || this.#readOnly.default_transaction_read_only;
  }
}

/** Whether statements can be prepared on this connection, and settings last longer than a transaction. */
export const keepsSession = (client: pg.ClientBase): boolean =>
  !(client instanceof Client && client.access.poolMode === 'transaction');
