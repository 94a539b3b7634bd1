import { Option } from 'commander';
import type { Command } from 'commander';
import { createOrganisation, updateOrganisation } from '../../domain/organisations/organisations.ts';
import { databaseAccess } from '../../runtime/database-access.ts';
import { homeFolder, readRunFile } from '../../runtime/home.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { Io } from '../../packages/command/io.ts';
import * as options from './options.ts';
import { organisationDelete } from './leaving.ts';
import { databaseUrl } from './operator.ts';
import type { Operator } from './operator.ts';

export function organisations(org: Command, operator: Operator, io: Io): void {
  const { change } = operator;
  org
    .command('create')
    .addOption(options.name('name of the organisation'))
    .addOption(options.plan().default('free'))
    .addOption(options.number('credits', 'initial credits').default(0))
    .action((o) => change(async (act) => ({ id: await createOrganisation(act, o) })));
  org
    .command('update')
    .addOption(options.id('id', 'organisation'))
    .addOption(options.plan())
    .addOption(new Option('--agent-access <state>', 'whether AI agents may use keys').choices(['on', 'off']))
    .addOption(
      options.number('limits', 'what the rate limits of it and of its Sites are multiplied by', {
        minimum: 1,
        maximum: 1_000,
      }),
    )
    .action((o) =>
      change(async (act) => {
        const agentAccess = o.agentAccess === undefined ? undefined : o.agentAccess === 'on';
        await updateOrganisation(act, o.id, { plan: o.plan, agentAccess, limits: o.limits });
        return { id: o.id };
      }),
    );
  org.addCommand(organisationDelete(operator));
  org
    .command('export')
    .description('write everything that an organisation owns into a folder')
    .addOption(options.id('id', 'organisation'))
    .addOption(options.folder())
    .addOption(options.by())
    .action(({ id, out, by }) => exportOrganisation({ organisationId: id, out, by }, operator, io));
}

async function exportOrganisation(
  asked: { readonly organisationId: string; readonly out: string; readonly by: string },
  { onDatabase }: Operator,
  io: Io,
): Promise<void> {
  // Loaded here, because the storage client takes longer to load than most commands to run.
  const [{ createBucket }, { createObjectStore }, { exportToFolder }] = await Promise.all([
    import('../../adapters/storage/bucket.ts'),
    import('../../adapters/storage/objects.ts'),
    import('../export/organisation.ts'),
  ]);
  const settings = readSettings({ ...readRunFile(homeFolder(io.env))?.storage, ...io.env });
  const objects = createObjectStore(createBucket(settings), '');
  const login = { databaseUrl: databaseUrl(io), access: databaseAccess(settings) };
  await onDatabase((db) => exportToFolder({ db, login, objects }, asked));
}
