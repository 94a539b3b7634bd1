import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ClientConfigProfile, ConfigDataSource } from '@temporalio/envconfig';
import { readSecretFile, requireSetting, SettingError } from '../../runtime/settings.ts';
import type { Settings } from '../../runtime/settings.ts';

/** How to reach Temporal, with certificates and keys as they are on disk now. */
export interface TemporalConnection {
  /** `host:port` */
  readonly address: string;
  readonly namespace: string;
  /** Null for a connection without TLS. The names are those of Temporal's SDK. */
  readonly tls: {
    /** In PEM; undefined for the authorities that the system trusts. */
    readonly serverRootCACertificate: Buffer | undefined;
    /** The certificate of this client and its key, in PEM. */
    readonly clientCertPair: { readonly crt: Buffer; readonly key: Buffer } | undefined;
    /** The name in the server's certificate, if it is not the host of the address. */
    readonly serverNameOverride: string | undefined;
  } | null;
  readonly apiKey: string | undefined;
  /** Headers of each call. */
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Reads how to reach Temporal: from the settings, otherwise from the settings of Temporal's own tools (docs/spec/rulings.md,
 * 22). Worker, health check and `npm start` all connect with this. Read again before each connection, so that renewed
 * certificates and keys take effect.
 *
 * @throws SettingError naming the setting that is wrong
 */
export async function readTemporalConnection(
  settings: Settings,
  env: NodeJS.ProcessEnv = process.env,
): Promise<TemporalConnection> {
  const profile = await readProfile(env);
  const { TEMPORAL_API_KEY_FILE: keyFile } = settings;
  const apiKey =
    keyFile === undefined
      ? (settings.TEMPORAL_API_KEY ?? profile.apiKey)
      : readSecretFile('TEMPORAL_API_KEY_FILE', keyFile);
  return {
    address: settings.TEMPORAL_ADDRESS ?? profile.address ?? requireSetting(settings, 'TEMPORAL_ADDRESS'),
    namespace: settings.TEMPORAL_NAMESPACE ?? profile.namespace ?? 'default',
    tls: readTls(settings, profile, env, apiKey),
    apiKey,
    metadata: profile.grpcMeta ?? {},
  };
}

export const namesTemporal = async (settings: Settings, env: NodeJS.ProcessEnv = process.env) =>
  settings.TEMPORAL_ADDRESS !== undefined || (await readProfile(env)).address !== undefined;

/** The options of both kinds of connection of Temporal's SDK. */
export const sdkOptions = ({ address, tls, apiKey, metadata }: TemporalConnection) => ({
  address,
  tls: tls ?? false,
  ...(apiKey !== undefined && { apiKey }),
  metadata: { ...metadata },
});

/** The secret values of a connection, which might appear in messages of other servers. */
export const secretsOfConnection = ({ apiKey, metadata }: TemporalConnection): readonly string[] => [
  apiKey ?? '',
  ...Object.values(metadata),
];

/** Ours have a name here too, but are read from the settings. */
const OURS = new Set([
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_SERVER_NAME',
]);

/**
 * The settings of Temporal's own tools: the profile of a file, and variables such as `TEMPORAL_TLS_CLIENT_CERT_PATH`. A file
 * is only read if a setting asks for it: the one in a developer's home folder is not meant for this product.
 */
async function readProfile(env: NodeJS.ProcessEnv): Promise<ClientConfigProfile> {
  const theirs = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith('TEMPORAL_') && !OURS.has(name) && value ? [[name, value]] : [],
    ),
  );
  const { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: profile } = theirs;
  const withFile = file !== undefined || profile !== undefined;
  const variable = Object.keys(theirs).find((name) =>
    /^TEMPORAL_(TLS_(CLIENT|SERVER)|GRPC_META)_/.test(name),
  );
  if (!withFile && variable === undefined) return {};
  // The API does without Temporal's packages otherwise, which saves memory.
  const { loadClientConfigProfile } = await import('@temporalio/envconfig');
  // By these it finds its own file, for a profile without TEMPORAL_CONFIG_FILE.
  const { HOME = '', XDG_CONFIG_HOME = '' } = env;
  const overrideEnvVars = { HOME, ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }), ...theirs };
  try {
    return loadClientConfigProfile({ overrideEnvVars, disableFile: !withFile });
  } catch (error) {
    // Later lines quote the file, which may hold a key.
    const [reason] = (error as Error).message.split('\n', 1);
    const name = profile !== undefined ? 'TEMPORAL_PROFILE' : withFile ? 'TEMPORAL_CONFIG_FILE' : variable;
    throw new SettingError(`${name}: cannot be used: ${reason}`);
  }
}

/** A file in PEM, and the setting that names it. */
interface Material {
  readonly variable: string;
  readonly pem: Buffer;
}

function readTls(
  settings: Settings,
  { tls }: ClientConfigProfile,
  env: NodeJS.ProcessEnv,
  apiKey: string | undefined,
): TemporalConnection['tls'] {
  const find = (
    ours: 'TEMPORAL_TLS_CA_FILE' | 'TEMPORAL_TLS_CERT_FILE' | 'TEMPORAL_TLS_KEY_FILE',
    theirs: string,
    source: ConfigDataSource | undefined,
  ): Material | undefined => {
    const path = settings[ours];
    if (path !== undefined) return { variable: ours, pem: readMaterial(ours, path) };
    if (source === undefined) return undefined;
    const set = [`${theirs}_PATH`, `${theirs}_DATA`].find((name) => env[name]);
    const variable = set ?? (env['TEMPORAL_PROFILE'] ? 'TEMPORAL_PROFILE' : 'TEMPORAL_CONFIG_FILE');
    const pem = 'path' in source ? readMaterial(variable, source.path) : Buffer.from(source.data);
    return { variable, pem };
  };
  const ca = find('TEMPORAL_TLS_CA_FILE', 'TEMPORAL_TLS_SERVER_CA_CERT', tls?.serverCACert);
  const cert = find('TEMPORAL_TLS_CERT_FILE', 'TEMPORAL_TLS_CLIENT_CERT', tls?.clientCert);
  const key = find('TEMPORAL_TLS_KEY_FILE', 'TEMPORAL_TLS_CLIENT_KEY', tls?.clientKey);
  const serverName = settings.TEMPORAL_TLS_SERVER_NAME ?? tls?.serverName;
  const asked = tls !== undefined || [ca, cert, key, serverName, apiKey].some((value) => value !== undefined);
  if (!(settings.TEMPORAL_TLS ?? (asked && tls?.disabled !== true))) return null;

  if (ca !== undefined) checkCertificates(ca);
  if (cert !== undefined && key === undefined)
    throw new SettingError(`TEMPORAL_TLS_KEY_FILE: is not set, but ${cert.variable} is`);
  if (key !== undefined && cert === undefined)
    throw new SettingError(`TEMPORAL_TLS_CERT_FILE: is not set, but ${key.variable} is`);
  if (cert !== undefined && key !== undefined) checkPair(cert, key);
  return {
    serverRootCACertificate: ca?.pem,
    clientCertPair: cert && key && { crt: cert.pem, key: key.pem },
    serverNameOverride: serverName,
  };
}

function readMaterial(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new SettingError(
      `${variable}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    );
  }
}

/** @returns the first one, which is a client's own */
function checkCertificates({ variable, pem }: Material): X509Certificate {
  const blocks = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
  try {
    const [first] = (pem.toString('latin1').match(blocks) ?? []).map((block) => new X509Certificate(block));
    if (first !== undefined) return first;
  } catch {
    // Below, as for a file without any.
  }
  throw new SettingError(`${variable}: the file must hold certificates in PEM`);
}

function checkPair(cert: Material, key: Material): void {
  const certificate = checkCertificates(cert);
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(key.pem);
  } catch {
    throw new SettingError(`${key.variable}: the file must hold a private key in PEM, without a passphrase`);
  }
  if (!certificate.checkPrivateKey(privateKey))
    throw new SettingError(`${key.variable}: the key does not belong to the certificate of ${cert.variable}`);
}
