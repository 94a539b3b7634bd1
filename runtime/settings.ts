import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { BlockList } from 'node:net';
import { z } from 'zod';
import { parseAllowedHosts } from './allowed-hosts.ts';
import { parseNetworks } from './networks.ts';
import { parseApiBase, parsePrices } from './stripe-settings.ts';

/** An invalid setting. The message is the single line printed at the start; it names the variable. */
export class SettingError extends Error {
  override name = 'SettingError';

  constructor(message: string) {
    // A message may quote a value of several lines.
    super(message.replaceAll(/\p{Cc}+/gu, ' '));
  }
}

const text = z.string().min(1);

const startOf = (protocol: string): string =>
  ['mailto:', 'tel:'].includes(protocol) ? protocol : `${protocol}//`;

const url = (protocols: readonly string[]) =>
  text.refine((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), {
    error: `must be a URL that starts with ${protocols.map(startOf).join(' or ')}`,
  });

// Every refinement runs, also after one that failed, so none may rely on an earlier one.
const postgresUrl = url(['postgres:', 'postgresql:']).refine(
  (value) => {
    const authorities = URL.parse(value)?.searchParams.get('sslrootcert') ?? 'system';
    return authorities === 'system' || isFile(authorities);
  },
  { error: 'names a file of authorities (sslrootcert) that does not exist' },
);
const httpUrl = url(['http:', 'https:']);

/** What is at a path; null if nothing can be there. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

const isFile = (path: string): boolean => statOf(path)?.isFile() ?? false;

const file = text.refine(isFile, { error: 'must be the path of an existing file' });

const folder = text.refine((path) => statOf(path)?.isDirectory() ?? false, {
  error: 'must be the path of an existing folder',
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

/** Keys of 32 bytes in base64, to encrypt secrets that have to be readable again. The newest is the first. */
const encryptionKeys = text
  .transform((value) => value.split(',').map((key) => Buffer.from(key.trim(), 'base64')))
  .refine((keys) => keys.every((key) => key.length === 32), {
    error:
      'must be 32 bytes in base64, such as `openssl rand -base64 32` gives; several are separated by commas, newest first',
  })
  .transform((keys) => keys as [Buffer, ...Buffer[]]);

/** The words of Temporal's own tools count too. */
const onOff = z
  .enum(['on', 'off', 'true', 'false', '1', '0'], { error: 'must be on or off' })
  .transform((value) => value === 'on' || value === 'true' || value === '1');

/** The result of `parse`; the message of its error becomes the issue. */
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

/** From failing readiness to accepting no more connections. */
const pause = text
  .regex(/^\s*\d{1,5}(ms|s)\s*$/, 'must be a duration such as 5s or 500ms, at most a minute')
  .transform(milliseconds)
  .refine((value) => value <= 60_000, 'must be a duration such as 5s or 500ms, at most a minute');

/** How long an answer of a language model may take. */
const patience = text
  .regex(/^\s*\d{1,9}(ms|s|m|h)\s*$/, 'must be a duration such as 60s or 10m')
  .transform(milliseconds)
  .refine((value) => value >= 1_000 && value <= 3_600_000, 'must be a duration from 1s to 1h');

/** Five durations: the waits before attempts 2 to 6. */
const retryDelays = text
  .regex(
    /^\s*\d{1,9}(ms|s|m|h)\s*(,\s*\d{1,9}(ms|s|m|h)\s*){4}$/,
    'must be five durations, such as 10s,1m,10m,1h,6h',
  )
  .transform((value) => value.split(',').map(milliseconds));

/** Every environment variable of the processes, with its format (docs/spec/rulings.md, 12). */
const environment = z.object({
  PORT: port.default(3000),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  SHUTDOWN_DELAY: pause.default(2_000),
  DATABASE_URL: postgresUrl.optional(),
  MIGRATION_DATABASE_URL: postgresUrl.optional(),
  SUPPORT_DATABASE_URL: postgresUrl.optional(),
  ADMIN_DATABASE_URL: postgresUrl.optional(),
  LISTEN_DATABASE_URL: postgresUrl.optional(),
  DATABASE_PASSWORD_FILE: file.optional(),
  DATABASE_PASSWORD_COMMAND: text.optional(),
  DATABASE_POOL_MODE: z
    .enum(['session', 'transaction'], { error: 'must be session or transaction' })
    .default('session'),
  DATABASE_POOL_SIZE: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a number from 1 to 999')
    .transform(Number)
    .optional(),
  TEMPORAL_ADDRESS: hostAndPort.optional(),
  TEMPORAL_NAMESPACE: text.optional(),
  TEMPORAL_TLS: onOff.optional(),
  TEMPORAL_TLS_CA_FILE: file.optional(),
  TEMPORAL_TLS_CERT_FILE: file.optional(),
  TEMPORAL_TLS_KEY_FILE: file.optional(),
  TEMPORAL_TLS_SERVER_NAME: text.optional(),
  TEMPORAL_API_KEY: text.optional(),
  /** Kept, because the file is read again when the key in it has changed. */
  TEMPORAL_API_KEY_FILE: text.optional(),
  TEMPORAL_CONFIG_FILE: file.optional(),
  TEMPORAL_PROFILE: text.optional(),
  TEMPORAL_ENCRYPTION_KEY: encryptionKeys.optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_PUBLIC_ENDPOINT: httpUrl.optional(),
  S3_FORCE_PATH_STYLE: onOff.optional(),
  S3_REGION: text.optional(),
  S3_BUCKET: text.default('presswork'),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  MEDIA_PUBLIC_URL: httpUrl.optional(),
  PURGE_URL: httpUrl.optional(),
  SECURITY_CONTACT: url(['https:', 'mailto:', 'tel:'])
    .refine((value) => !/\s/.test(value), { error: 'must be one address, without spaces' })
    .optional(),
  TRUSTED_PROXIES: parsedBy(parseNetworks).default(new BlockList()),
  ENCRYPTION_KEY: encryptionKeys.optional(),
  WEBHOOK_ALLOWED_HOSTS: parsedBy(parseAllowedHosts).default(new Set<string>()),
  /** Whether scans may fetch pages. */
  OUTBOUND_SCANS: onOff.default(true),
  SCAN_ALLOWED_HOSTS: parsedBy(parseAllowedHosts).default(new Set<string>()),
  SCAN_CA_FILE: file.optional(),
  WEBHOOK_RETRY_DELAYS: retryDelays.optional(),
  WORKFLOW_BUNDLE: file.optional(),
  DASHBOARD_FOLDER: folder.optional(),
  LLM_PROVIDER: z
    .enum(['openai', 'anthropic', 'google'], { error: 'must be openai, anthropic or google' })
    .default('openai'),
  LLM_BASE_URL: httpUrl.optional(),
  LLM_API_KEY: text.optional(),
  LLM_MODEL: text.optional(),
  LLM_MODEL_CLASSIFY: text.optional(),
  LLM_MODEL_EXTRACT: text.optional(),
  LLM_MODEL_PLAN: text.optional(),
  LLM_MODEL_GENERATE: text.optional(),
  LLM_MODEL_IMPROVE: text.optional(),
  LLM_SILENCE_TIMEOUT: patience.optional(),
  LLM_TIMEOUT: patience.optional(),
  LLM_MAX_OUTPUT_TOKENS: z
    .string()
    .regex(/^[1-9]\d{2,5}$/, 'must be a number from 100 to 999999')
    .transform(Number)
    .optional(),
  RESEARCH_PROVIDER: z
    .enum(['searxng', 'brave', 'tavily'], { error: 'must be searxng, brave or tavily' })
    .optional(),
  RESEARCH_URL: httpUrl.optional(),
  RESEARCH_API_KEY: text.optional(),
  STRIPE_SECRET_KEY: text.optional(),
  STRIPE_WEBHOOK_SECRET: text.optional(),
  STRIPE_API_BASE: parsedBy(parseApiBase).optional(),
  STRIPE_PRICES: parsedBy(parsePrices).default({}),
  SMTP_URL: url(['smtp:', 'smtps:'])
    .refine((value) => (URL.parse(value)?.hostname ?? '') !== '', { error: 'must name a host' })
    .optional(),
  MAIL_FROM: text
    .regex(
      /^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      'must be an address such as Presswork <presswork@example.com>',
    )
    .optional(),
  CANARY_KEY: text.optional(),
  CANARY_RECEIVER: httpUrl
    .refine((value) => !(URL.parse(value)?.username || URL.parse(value)?.password), {
      error: 'must not hold a user name or a password',
    })
    .optional(),
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

/** The name of every variable. */
export const settingNames: readonly string[] = Object.keys(environment.shape);

/** Settings that may also be given as NAME_FILE, the path of a file that holds the value. */
export const secretNames = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'SUPPORT_DATABASE_URL',
  'ADMIN_DATABASE_URL',
  'LISTEN_DATABASE_URL',
  'ENCRYPTION_KEY',
  'TEMPORAL_API_KEY',
  'TEMPORAL_ENCRYPTION_KEY',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'LLM_API_KEY',
  'RESEARCH_API_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
] as const satisfies readonly (keyof Settings)[];

/**
 * Reads and checks the environment. An empty variable counts as unset.
 *
 * @throws SettingError naming the first wrong variable
 */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const fromFiles = readSecretFiles(given);
  const parsed = environment.safeParse({ ...given, ...fromFiles });
  if (parsed.success) {
    const { DATABASE_PASSWORD_FILE: file, DATABASE_PASSWORD_COMMAND: command } = parsed.data;
    if (file !== undefined && command !== undefined)
      throw new SettingError('DATABASE_PASSWORD_COMMAND: is set together with DATABASE_PASSWORD_FILE');
    requireBothOfStripe(parsed.data);
    requireOfResearch(parsed.data);
    if ((parsed.data.SMTP_URL === undefined) !== (parsed.data.MAIL_FROM === undefined))
      throw new SettingError(
        parsed.data.SMTP_URL === undefined
          ? 'SMTP_URL: is not set, and MAIL_FROM is; set both or none'
          : 'MAIL_FROM: is not set, and SMTP_URL is; mails need a sender',
      );
    return parsed.data;
  }
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0]);
  throw new SettingError(
    `${name in fromFiles ? `${name}_FILE` : name}: ${issue?.message ?? 'is not usable'}`,
  );
}

/** Without its events no payment would give credits, and without its key none could be asked for. */
function requireBothOfStripe({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret }: Settings): void {
  if (key !== undefined && secret === undefined)
    throw new SettingError(
      'STRIPE_WEBHOOK_SECRET: is not set, and STRIPE_SECRET_KEY is; Stripe gives it with the endpoint {origin}/billing/stripe',
    );
  if (secret !== undefined && key === undefined)
    throw new SettingError('STRIPE_SECRET_KEY: is not set, and STRIPE_WEBHOOK_SECRET is; set both or none');
}

function requireOfResearch(settings: Settings): void {
  const { RESEARCH_PROVIDER: provider, RESEARCH_URL: url, RESEARCH_API_KEY: key } = settings;
  if (provider === 'searxng' && url === undefined)
    throw new SettingError(
      'RESEARCH_URL: is not set, and RESEARCH_PROVIDER=searxng has no address of its own',
    );
  if (provider !== undefined && provider !== 'searxng' && key === undefined)
    throw new SettingError(`RESEARCH_API_KEY: is not set, and RESEARCH_PROVIDER=${provider} needs it`);
}

function readSecretFiles(given: NodeJS.ProcessEnv): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of secretNames) {
    const variable = `${name}_FILE`;
    const path = given[variable];
    if (path === undefined) continue;
    if (given[name] !== undefined)
      throw new SettingError(`${name}: is set, and so is ${variable}; set only one of them`);
    values[name] = readSecretFile(variable, path);
  }
  return values;
}

const SECRET_FILE_BYTES = 64 * 1024;

/**
 * The content of a file without the newline at its end.
 *
 * @param variable the setting that names the file
 * @throws SettingError if it cannot be read, is empty, or has more than 64 KB
 */
export function readSecretFile(variable: string, path: string): string {
  const bytes = Buffer.alloc(SECRET_FILE_BYTES + 1);
  let length = 0;
  try {
    const descriptor = openSync(path, 'r');
    try {
      // A pipe gives a part at a time.
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSync(descriptor, bytes, length, bytes.length - length, null);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new SettingError(
      `${variable}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    );
  }
  if (length > SECRET_FILE_BYTES) throw new SettingError(`${variable}: ${path} has more than 64 KB`);
  const value = bytes.toString('utf8', 0, length).replace(/\r?\n$/, '');
  if (value === '') throw new SettingError(`${variable}: ${path} is empty`);
  return value;
}

/**
 * The value of a required setting.
 *
 * @throws SettingError naming the variable
 */
export function requireSetting<K extends keyof Settings>(
  settings: Settings,
  name: K,
): NonNullable<Settings[K]> {
  const value = settings[name];
  if (value === undefined || value === null) {
    throw new SettingError(`${name}: is not set; set it, or run everything with npm start`);
  }
  return value;
}

/** Whether a language model writes the articles: one that is named by its address, or a vendor's own. */
export const hasModel = ({
  LLM_BASE_URL: url,
  LLM_PROVIDER: provider,
}: Pick<Settings, 'LLM_BASE_URL' | 'LLM_PROVIDER'>): boolean => url !== undefined || provider !== 'openai';

/** The secret values among the settings, which might appear in messages of other servers. */
export function secretsOf(settings: Settings): readonly string[] {
  const urls = [
    settings.DATABASE_URL,
    settings.MIGRATION_DATABASE_URL,
    settings.SUPPORT_DATABASE_URL,
    settings.ADMIN_DATABASE_URL,
    settings.LISTEN_DATABASE_URL,
    settings.SMTP_URL,
  ];
  const passwords = urls.flatMap((url) => (url === undefined ? [] : [new URL(url).password]));
  const keys = [settings.ENCRYPTION_KEY ?? [], settings.TEMPORAL_ENCRYPTION_KEY ?? []].flat();
  return [
    ...passwords,
    ...passwords.map(decodeURIComponent),
    ...keys.map((key) => key.toString('base64')),
    settings.TEMPORAL_API_KEY ?? '',
    settings.S3_ACCESS_KEY_ID ?? '',
    settings.S3_SECRET_ACCESS_KEY ?? '',
    settings.LLM_API_KEY ?? '',
    settings.RESEARCH_API_KEY ?? '',
    settings.STRIPE_SECRET_KEY ?? '',
    settings.STRIPE_WEBHOOK_SECRET ?? '',
  ];
}

/** The service's base URL without `/v1`: PUBLIC_URL, or the address the process listens on. */
export function originOf({ PUBLIC_URL: publicUrl, HOST: host, PORT: port }: Settings): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  return listeningOrigin(host, port);
}

/** The URL of a server on a host and port; `localhost` if it listens on all addresses. */
export function listeningOrigin(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
