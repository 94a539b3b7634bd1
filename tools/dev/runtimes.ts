import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './run-tool.ts';
import { cacheFolder } from './tools.ts';

/** A runtime that the SDK promises to run on, from its npm package. */
export interface Runtime {
  readonly name: string;
  /** With its version. */
  readonly packageName: string;
  /** Below the folder that the package is installed in. */
  readonly program: string;
  /** Before the name of a file. */
  readonly args: readonly string[];
}

export const node22: Runtime = {
  name: 'Node 22',
  packageName: 'node@22.23.3',
  program: 'node_modules/node/bin/node',
  args: [],
};

/** Node 24 is that of the other tests. */
export const runtimes: readonly Runtime[] = [
  { name: 'Node 20', packageName: 'node@20.20.2', program: 'node_modules/node/bin/node', args: [] },
  node22,
  { name: 'Bun', packageName: 'bun@1.4.5', program: 'node_modules/.bin/bun', args: ['run'] },
  {
    name: 'Deno',
    packageName: 'deno@2.9.6',
    program: 'node_modules/.bin/deno',
    args: ['run', '--allow-all'],
  },
];

const folderOf = ({ packageName }: Runtime): string =>
  join(cacheFolder(), 'runtimes', packageName.replace('@', '-'));

export const programOf = (runtime: Runtime): string => join(folderOf(runtime), runtime.program);

/**
 * Installs a runtime once, outside of the product's packages, because all of them are half a gigabyte.
 *
 * @throws StartError if it cannot be installed
 */
export async function installRuntime(runtime: Runtime): Promise<void> {
  if (existsSync(programOf(runtime))) return;
  const folder = folderOf(runtime);
  mkdirSync(folder, { recursive: true });
  const name = runtime.packageName.split('@')[0] ?? '';
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, allowScripts: { [name]: true } }),
  );
  const args = ['install', '--no-audit', '--no-fund', '--prefix', folder, runtime.packageName];
  await runTool(`Installing ${runtime.name} (npm), once`, 'npm', args, process.env);
}
