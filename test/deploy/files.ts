import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { readSettings, requireSetting, settingNames } from '../../runtime/settings.ts';
import type { Settings } from '../../runtime/settings.ts';

export const readDeployed = (path: string): string => readFileSync(join(root, path), 'utf8');

export type Variables = Readonly<Record<string, string>>;

/** A file of NAME=value lines. */
export const readVariables = (text: string): Variables =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** Read by a library of the product, not by the product: OpenTelemetry's, and Node's. */
const ofLibraries = /^(OTEL_|NODE_)/;

export const unknownSettings = (variables: Variables): readonly string[] =>
  Object.keys(variables).filter((name) => !settingNames.includes(name) && !ofLibraries.test(name));

/** What a production installation states: what has no default, and what the default is not meant for. */
const neededInProduction = [
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'ENCRYPTION_KEY',
  'PUBLIC_URL',
  'TRUSTED_PROXIES',
  'SHUTDOWN_DELAY',
  'METRICS_PORT',
] as const satisfies readonly (keyof Settings)[];

/** Reads the variables as the product does. @throws SettingError naming one that is missing or wrong */
export function checkProduction(variables: Variables): Settings {
  const settings = readSettings(variables);
  for (const name of neededInProduction) {
    if (!(name in variables)) requireSetting({ ...settings, [name]: undefined }, name);
    requireSetting(settings, name);
  }
  return settings;
}
