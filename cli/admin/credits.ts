import type { Command } from 'commander';
import { grantCredits } from '../../domain/usage/credits.ts';
import * as options from './options.ts';
import type { Operator } from './operator.ts';

export function credits(credit: Command, { change }: Operator): void {
  credit
    .command('grant')
    .addOption(options.id('org', 'organisation'))
    .addOption(options.number('amount', 'credits to add', { minimum: 1 }).makeOptionMandatory())
    .action(({ org, amount }) =>
      change(async (act) => ({ id: org, balance: await grantCredits(act, org, amount) })),
    );
}
