import type { Command } from 'commander';
import { endMaintenance, startMaintenance } from '../../domain/organisations/sites.ts';
import * as options from './options.ts';
import type { Operator } from './operator.ts';

const DEFAULT_RETRY_AFTER = 300;
/** The maximum of an integer column. */
const LONGEST_RETRY_AFTER = 2_147_483_647;

export function maintenance(command: Command, { change }: Operator): void {
  command
    .command('on')
    .addOption(options.optionalId('site', 'Site; the default is the whole platform'))
    .addOption(
      options
        .number('retry-after', 'value of Retry-After, in seconds', {
          minimum: 1,
          maximum: LONGEST_RETRY_AFTER,
        })
        .default(DEFAULT_RETRY_AFTER),
    )
    .action(({ site = null, retryAfter }) =>
      change(async (act) => {
        await startMaintenance(act, site, retryAfter);
        return { maintenance: 'on', site, retry_after: retryAfter };
      }),
    );
  command
    .command('off')
    .addOption(options.optionalId('site', 'Site; the default is the whole platform'))
    .action(({ site = null }) =>
      change(async (act) => {
        await endMaintenance(act, site);
        return { maintenance: 'off', site };
      }),
    );
}
