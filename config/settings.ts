import { statSync } from 'node:fs';
import { BlockList } from 'node:net';
import { z } from 'zod';
import { parseAllowedHosts } from '../net/allowed-hosts.ts';
import { parseNetworks } from '../net/networks.ts';

/** A wrong setting. Its message is the one line that stops the start; it names the variable. */
export class SettingError extends Error {
  override name = 'SettingError';
}

const text = z.string().min(1);

const url = (protocols: readonly string[]) =>
  text.refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const postgresUrl = url(['postgres:', 'postgresql:']);
const httpUrl = url(['http:', 'https:']);

const file = text.refine((path) => statSync(path, { throwIfNoEntry: false })?.isFile(), {
  error: 'must be the path of a file that is there',
});

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number from 1 to 65535')
  .transform(Number)
  .refine((value) => value >= 1 && value <= 65_535, 'must be a port number from 1 to 65535');

const hostAndPort = text.regex(
  /^(\[[0-9a-f:.]+\]|[^\s:/]+):\d{1,5}$/i,
  'must be host:port, such as 127.0.0.1:7233',
);

/** 32 bytes in base64: what seals the secrets that have to be read again. */
const encryptionKey = text
  .transform((value) => Buffer.from(value, 'base64'))
  .refine((key) => key.length === 32, {
    error: 'must be 32 bytes in base64, such as `openssl rand -base64 32` gives',
  });

/** What `parse` makes of the value; the message of what it throws is what is wrong. */
const parsedBy = <T>(parse: (value: string) => T) =>
  z.string().transform((value, context) => {
    try {
      return parse(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

const milliseconds = (duration: string): number => {
  const [, amount, unit = ''] = /^(\d+)(ms|s|m|h)$/.exec(duration.trim()) ?? [];
  return Number(amount) * (units[unit] ?? 0);
};

/** From readiness going off to no connection being accepted. */
const pause = text
  .regex(/^\s*\d{1,5}(ms|s)\s*$/, 'must be a duration such as 5s or 500ms, a minute at most')
  .transform(milliseconds)
  .refine((value) => value <= 60_000, 'must be a duration such as 5s or 500ms, a minute at most');

/** Five durations, before attempts 2 to 6. */
const retryDelays = text
  .regex(
    /^\s*\d{1,9}(ms|s|m|h)\s*(,\s*\d{1,9}(ms|s|m|h)\s*){4}$/,
    'must be five durations, such as 10s,1m,10m,1h,6h',
  )
  .transform((value) => value.split(',').map(milliseconds));

/** Every environment variable the processes read, with its form (decisions 12). */
const environment = z.object({
  PORT: port.default(3000),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  SHUTDOWN_DELAY: pause.default(2_000),
  DATABASE_URL: postgresUrl.optional(),
  MIGRATION_DATABASE_URL: postgresUrl.optional(),
  SUPPORT_DATABASE_URL: postgresUrl.optional(),
  ADMIN_DATABASE_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a number from 1 to 999')
    .transform(Number)
    .optional(),
  TEMPORAL_ADDRESS: hostAndPort.optional(),
  TEMPORAL_NAMESPACE: text.default('default'),
  S3_ENDPOINT: httpUrl.optional(),
  S3_REGION: text.default('us-east-1'),
  S3_BUCKET: text.default('presswork'),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  MEDIA_PUBLIC_URL: httpUrl.optional(),
  PURGE_URL: httpUrl.optional(),
  TRUSTED_PROXIES: parsedBy(parseNetworks).default(new BlockList()),
  ENCRYPTION_KEY: encryptionKey.optional(),
  WEBHOOK_ALLOWED_HOSTS: parsedBy(parseAllowedHosts).default(new Set<string>()),
  WEBHOOK_RETRY_DELAYS: retryDelays.optional(),
  WORKFLOW_BUNDLE: file.optional(),
  LLM_BASE_URL: httpUrl.optional(),
  LLM_API_KEY: text.optional(),
  LLM_MODEL: text.optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: text.default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_SDK_DISABLED: z
    .string()
    .transform((value) => value.toLowerCase() === 'true')
    .default(false),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
});

export type Settings = Readonly<z.infer<typeof environment>>;

/**
 * Reads and checks the environment. An empty variable counts as unset.
 *
 * @throws SettingError naming the first wrong variable
 */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SettingError(`${String(issue?.path[0])}: ${issue?.message ?? 'is not usable'}`);
}

/**
 * The value of a setting that a process cannot do without.
 *
 * @throws SettingError naming the variable
 */
export function requireSetting<K extends keyof Settings>(
  settings: Settings,
  name: K,
): NonNullable<Settings[K]> {
  const value = settings[name];
  if (value === undefined || value === null) {
    throw new SettingError(`${name}: is not set; name the service there, or run everything with npm start`);
  }
  return value;
}

/** The values among the settings that nobody may see, as they might turn up in what another server says. */
export function secretsOf(settings: Settings): readonly string[] {
  const { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: key } = settings;
  const password = databaseUrl === undefined ? '' : new URL(databaseUrl).password;
  return [
    password,
    decodeURIComponent(password),
    key?.toString('base64') ?? '',
    settings.S3_SECRET_ACCESS_KEY ?? '',
    settings.LLM_API_KEY ?? '',
  ];
}

/** Where clients reach the service, without `/v1`: PUBLIC_URL, or where the process listens. */
export function originOf({ PUBLIC_URL: publicUrl, HOST: host, PORT: port }: Settings): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
