import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { root } from './home.ts';
import type { Credentials } from './home.ts';
import type { Servers } from './servers.ts';
import type { Service } from './supervised.ts';

const HEAP_MEGABYTES = { worker: 384, api: 256 } as const;

/** API or worker as a process of its own, told by its environment where everything is. */
export function application(
  name: keyof typeof HEAP_MEGABYTES,
  home: string,
  settings: Settings,
  servers: Servers,
  credentials: Credentials,
): Service {
  return {
    name,
    role: 'application',
    command: process.execPath,
    args: [`--max-old-space-size=${HEAP_MEGABYTES[name]}`, join(root, name, 'main.ts')],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(settings.PORT),
      HOST: settings.HOST,
      DATABASE_URL: servers.databaseUrl,
      TEMPORAL_ADDRESS: servers.temporalAddress,
      ENCRYPTION_KEY: process.env['ENCRYPTION_KEY'] || credentials.encryptionKey,
      TEMPORAL_NAMESPACE: settings.TEMPORAL_NAMESPACE,
      ...servers.storage,
    },
    stopSignal: 'SIGTERM',
    logFile: join(home, 'logs', `${name}.log`),
  };
}
