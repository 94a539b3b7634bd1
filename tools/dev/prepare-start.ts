import { homeFolder } from '../../runtime/home.ts';
import { readSettings, SettingError } from '../../runtime/settings.ts';
import type { Settings } from '../../runtime/settings.ts';
import { metricsPort } from './applications.ts';
import { reclaimChildren } from './children.ts';
import { requireListening, StartError } from './home.ts';
import { takeHome } from './lock.ts';
import { showing } from './progress.ts';
import { reachOutsideServers } from './servers.ts';
import type { OutsideServers } from './servers.ts';

/**
 * The preparation of npm start, so that a wrong setting is reported at once: the settings, the data
 * folder, the ports and the outside servers. Later, a busy machine could take a server for one that is away.
 *
 * @param taken is given what releases the data folder
 * @throws SettingError or StartError naming the mistake
 */
export async function prepareStart(
  env: NodeJS.ProcessEnv,
  taken: (release: () => void) => void,
): Promise<{ settings: Settings; outside: OutsideServers }> {
  const home = homeFolder(env);
  const settings = readSettings(env);
  taken(await showing('Waiting for the data folder', takeHome(home)));
  await reclaimChildren(home);
  await requireListening(settings.PORT, settings.HOST);
  await requireMetricsListening(settings);
  return { settings, outside: await reachOutsideServers(settings) };
}

/** The message of npm start for an error: one line, if it is the operator's to mend. */
export const reportOf = (error: unknown): unknown =>
  error instanceof StartError || error instanceof SettingError ? error.message : error;

/** @throws StartError */
async function requireMetricsListening(settings: Settings): Promise<void> {
  const ports: number[] = [];
  for (const name of ['api', 'worker'] as const) {
    const port = metricsPort(name, settings);
    if (port === undefined) return;
    if (port > 65_535)
      throw new StartError('METRICS_PORT: must be at most 65534, because the worker uses the next port.');
    if (port === settings.PORT)
      throw new StartError(`METRICS_PORT: the ${name} would use ${port}, which is PORT.`);
    ports.push(port);
  }
  const names = { port: 'METRICS_PORT', host: 'METRICS_HOST' };
  for (const port of ports) await requireListening(port, settings.METRICS_HOST, names);
}
