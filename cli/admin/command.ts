import { Command } from 'commander';
import type { Io } from '../../packages/command/io.ts';
import type { Operator } from './operator.ts';

/** Gives a command its options and its action. */
type Fill = (command: Command, operator: Operator, io: Io) => void;

/** The help text of each, and its module. It is loaded when it is named: those of all take a second. */
const commands: Readonly<Record<string, readonly [about: string, load: () => Promise<Fill>]>> = {
  org: ['organisations', async () => (await import('./organisations.ts')).organisations],
  member: ['members of an organisation', async () => (await import('./members.ts')).members],
  site: ['Sites', async () => (await import('./sites.ts')).sites],
  key: ['API keys', async () => (await import('./keys.ts')).keys],
  credits: ['credits of an organisation', async () => (await import('./credits.ts')).credits],
  maintenance: [
    'pause writes of one Site or of the platform',
    async () => (await import('./maintenance.ts')).maintenance,
  ],
  webhook: ['webhook endpoints', async () => (await import('./webhooks.ts')).webhooks],
  canary: [
    'check the service from outside: publish an article, have it delivered, delete it',
    async () => (await import('./canary/command.ts')).canary,
  ],
  'codec-server': [
    'decrypt payloads for the Temporal UI and command line, until it is interrupted',
    async () => (await import('./codec-server.ts')).codecServer,
  ],
  migrate: ['migrate the database schema to this version', async () => (await import('./schema.ts')).migrate],
  roles: [
    'create the database roles named by the *_DATABASE_URL variables, or change their passwords',
    async () => (await import('./schema.ts')).roles,
  ],
  reseal: [
    'seal every stored secret with the first key of ENCRYPTION_KEY; safe to repeat',
    async () => (await import('./reseal.ts')).reseal,
  ],
};

/**
 * The operator's commands. Each works directly on the database.
 *
 * @param argv the arguments after `admin`
 */
export async function adminCommand(argv: readonly string[], io: Io): Promise<Command> {
  const admin = new Command('admin').description('administer the service directly on its database');
  const named = argv[0] === 'help' ? argv[1] : argv[0];
  for (const [name, [about, load]] of Object.entries(commands)) {
    const command = admin.command(name).description(about);
    if (name !== named) continue;
    const [fill, { operatorOf }] = await Promise.all([load(), import('./operator.ts')]);
    fill(command, operatorOf(io), io);
  }
  return admin;
}
