import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildMember, buildOrganisation, buildSite } from '../support/builders.ts';
import { runCommand } from '../support/command.ts';
import type { Run } from '../support/command.ts';

export type { Run } from '../support/command.ts';

/** An operator with a database to run the command on. */
export interface Administrator {
  readonly api: TestApi;
  /** Runs the command on the test's database. */
  admin(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Run>;
  /** An organisation with 5 credits, its owner and a Site, created without the command. */
  buildSite(): Promise<{ org: string; member: string; site: string }>;
  close(): Promise<void>;
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** An id that does not exist. */
export const absent = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';

export async function startAdministrator(): Promise<Administrator> {
  const api = await startApi();
  const home = mkdtempSync(join(tmpdir(), 'presswork-cli-'));
  return {
    api,
    admin: (args, env = { DATABASE_URL: api.url }) => runAdmin(args, { PRESSWORK_HOME: home, ...env }),
    async buildSite() {
      const org = await buildOrganisation(api.db, { credits: 5 });
      return { org, member: await buildMember(api.db, org), site: await buildSite(api.db, org) };
    },
    async close() {
      await api.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Runs the command with nothing but this environment. */
export function runAdmin(args: readonly string[], env: NodeJS.ProcessEnv, input = ''): Promise<Run> {
  const { DATABASE_POOL_MODE } = process.env;
  const clean = { DATABASE_POOL_MODE, PRESSWORK_HOME: join(tmpdir(), 'presswork-not-here'), ...env };
  return runCommand(['admin', ...args], { env: clean, input });
}
