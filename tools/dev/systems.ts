import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { StartError } from './home.ts';
import { runTool, works } from './run-tool.ts';
import { installRuntime, node22, programOf } from './runtimes.ts';
import { cacheFolder } from './tools.ts';

const GHOST = '6.65.0';

const systems = (): string => join(cacheFolder(), 'systems');

/** The folder of Ghost's program. */
export const ghostFolder = (): string => join(systems(), `ghost-${GHOST}`, 'package');
/** Ghost runs on this Node only: its database's module cannot be used with every one. */
export const ghostNode = (): string => programOf(node22);

/** The folder of WordPress's program. */
export const wordPressFolder = (): string => join(systems(), 'wordpress', 'usr/share/wordpress');

/**
 * Installs Ghost from the registry, once. Its package names parts of itself as files, so it is installed in its own
 * folder.
 *
 * @throws StartError
 */
export async function installGhost(): Promise<void> {
  if (existsSync(ghostFolder())) return;
  await installRuntime(node22);
  const folder = dirname(ghostFolder());
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const bin = dirname(ghostNode());
  // The headers of this Node come with its package, so that nothing else is fetched.
  const headers = join(bin, '../node_modules', `node-${process.platform}-${process.arch}`);
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    npm_config_nodedir: headers,
  };
  await runTool(
    'Fetching Ghost (npm), once',
    'npm',
    ['pack', `ghost@${GHOST}`, '--pack-destination', unfinished],
    env,
  );
  await runTool('Unpacking', 'tar', ['xzf', join(unfinished, `ghost-${GHOST}.tgz`), '-C', unfinished], env);
  const inside = ['--prefix', join(unfinished, 'package'), '--no-audit', '--no-fund'];
  const install = ['install', ...inside, '--omit=dev', '--ignore-scripts', '--legacy-peer-deps'];
  await runTool('Installing Ghost (npm), some minutes', 'npm', install, env);
  await runTool(
    'Building its database (npm), some minutes',
    'npm',
    ['rebuild', ...inside, 'better-sqlite3'],
    env,
  );
  renameSync(unfinished, folder);
}

/** The packages of WordPress beside its own. */
const packages = 'php8.2-cli php8.2-mysql php8.2-gd mariadb-server-core mariadb-client-core';

/**
 * Installs WordPress from the packages of Debian, once: into the cache, not into the machine.
 *
 * @throws StartError
 */
export async function installWordPress(): Promise<void> {
  if (existsSync(wordPressFolder())) return;
  if (!works('php', ['--version']) || !works('mariadbd', ['--version']) || !works('dpkg', ['--version']))
    throw new StartError(
      `WordPress needs PHP and MariaDB: apt-get install --no-install-recommends ${packages} (Debian 12). Without them, run npm run test:systems ghost.`,
    );
  const folder = join(systems(), 'wordpress');
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const download = `cd '${unfinished}' && apt-get download wordpress php-getid3`;
  await runTool('Fetching WordPress (apt-get), once', 'sh', ['-c', download], process.env);
  for (const name of readdirSync(unfinished).filter((file) => file.endsWith('.deb')))
    await runTool('Unpacking', 'dpkg', ['-x', join(unfinished, name), unfinished], process.env);
  // The package links to this library where it would be installed.
  const [library, links] = ['usr/share/php/getid3', 'usr/share/wordpress/wp-includes/ID3'].map((path) =>
    join(unfinished, path),
  ) as [string, string];
  for (const link of readdirSync(links)) {
    const file = join(library, link);
    if (!existsSync(file)) continue;
    rmSync(join(links, link));
    renameSync(file, join(links, link));
  }
  renameSync(unfinished, folder);
}
