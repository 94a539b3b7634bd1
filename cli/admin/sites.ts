import type { Command } from 'commander';
import { createSite, updateSite } from '../../domain/organisations/sites.ts';
import * as options from './options.ts';
import { siteDelete } from './leaving.ts';
import type { Operator } from './operator.ts';

export function sites(site: Command, operator: Operator): void {
  const { change } = operator;
  site
    .command('create')
    .addOption(options.id('org', 'organisation'))
    .addOption(options.name('display name'))
    .addOption(options.domain())
    .addOption(options.timezone().default('UTC'))
    .addOption(options.locale().default('en'))
    .addOption(options.spendCap().default('none'))
    .action(({ org, ...values }) =>
      change(async (act) => ({
        id: await createSite(act, {
          ...values,
          spendCap: capOf(values.spendCap) ?? null,
          organisationId: org,
        }),
      })),
    );
  site
    .command('update')
    .addOption(options.id('id', 'Site'))
    .addOption(options.spendCap())
    .addOption(options.timezone())
    .action(({ id, ...changes }) =>
      change(async (act) => {
        await updateSite(act, id, operator.publicOrigin(), { ...changes, spendCap: capOf(changes.spendCap) });
        return { id };
      }),
    );
  site.addCommand(siteDelete(operator));
}

/** `none` becomes null only here, because commander turns a parsed null into an empty text. */
const capOf = (cap: number | 'none' | undefined): number | null | undefined => (cap === 'none' ? null : cap);
