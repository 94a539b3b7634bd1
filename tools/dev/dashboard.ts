import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../runtime/home.ts';
import { built } from './built.ts';

const run = promisify(execFile);

export const buildDashboard = (): Promise<string> =>
  built({
    name: 'dashboard',
    sources: ['dashboard/**', 'sdk/src/**', 'package-lock.json', 'tsconfig.json', 'tools/dev/dashboard.ts'],
    make: (folder) => {
      const vite = join(root, 'node_modules/vite/bin/vite.js');
      const config = join(root, 'dashboard/vite.config.ts');
      // Tests have another environment, and React would be built for development.
      const env = { ...process.env, NODE_ENV: 'production' };
      return run(process.execPath, [vite, 'build', '--config', config, '--outDir', folder], { env });
    },
  });
