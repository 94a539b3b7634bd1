import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingError } from '../../../runtime/settings.ts';
import type { Asset, DashboardFiles } from '../../framework/dashboard-files.ts';

/** All files together. A bigger folder is hardly the dashboard. */
const SIZE_LIMIT = 64 * 1_048_576;

/**
 * Reads the built dashboard once, so that no request reads a file.
 *
 * @param folder with `index.html` and the folder `assets`; undefined if the dashboard has not been built
 * @throws SettingError if it is not the built dashboard
 */
export function readDashboard(folder: string | undefined): DashboardFiles | null {
  if (folder === undefined) return null;
  try {
    return read(folder);
  } catch (error) {
    if (error instanceof SettingError) throw error;
    throw new SettingError('DASHBOARD_FOLDER: must hold the built dashboard, index.html and assets');
  }
}

function read(folder: string): DashboardFiles {
  const bytes = new Map<string, Buffer>();
  let size = 0;
  for (const entry of readdirSync(join(folder, 'assets'), { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const content = readFileSync(join(folder, 'assets', entry.name));
    size += content.length;
    if (size > SIZE_LIMIT) throw new SettingError(`DASHBOARD_FOLDER: holds more than ${SIZE_LIMIT} bytes`);
    bytes.set(entry.name, content);
  }
  const names = [...bytes.keys()].filter((name) => !/\.(gz|br)$/.test(name));
  const assets = names.map((name): [string, Asset] => [
    name,
    { identity: bytes.get(name) as Buffer, gzip: bytes.get(`${name}.gz`), br: bytes.get(`${name}.br`) },
  ]);
  return { document: readFileSync(join(folder, 'index.html'), 'utf8'), assets: new Map(assets) };
}
