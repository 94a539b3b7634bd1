import type { Command } from 'commander';
import { addMember, changeRole, removeMember } from '../../domain/organisations/organisations.ts';
import { hashPassword, setPassword, signMemberOut } from '../../domain/sign-in/passwords.ts';
import { removeSecondFactor } from '../../domain/sign-in/second-factor.ts';
import type { Io } from '../../packages/command/io.ts';
import * as options from './options.ts';
import { memberErase } from './leaving.ts';
import type { Operator } from './operator.ts';
import { readPassword } from './password.ts';

export function members(member: Command, operator: Operator, io: Io): void {
  const { change } = operator;
  member
    .command('add')
    .addOption(options.id('org', 'organisation'))
    .addOption(options.email())
    .addOption(options.role())
    .action(({ org, email, role }) =>
      change(async (act) => ({
        id: await addMember(act, { organisationId: org, email, role }),
      })),
    );
  member
    .command('role')
    .addOption(options.id('id', 'member'))
    .addOption(options.role())
    .action(({ id, role }) =>
      change(async (act) => {
        await changeRole(act, id, role);
        return { id, role };
      }),
    );
  member
    .command('remove')
    .addOption(options.id('id', 'member'))
    .action(({ id }) =>
      change(async (act) => {
        await removeMember(act, id);
        return { id };
      }),
    );
  member
    .command('password')
    .description(
      'set the password for signing in with a browser; read from standard input, or prompted for on a terminal',
    )
    .addOption(options.id('id', 'member'))
    .action(async ({ id }) => {
      const passwordHash = await hashPassword(await readPassword(io));
      await change(async (act) => {
        await setPassword(act, id, passwordHash);
        return { id };
      });
    });
  member
    .command('two-factor-off')
    .description('remove the second factor of a member who has lost it')
    .addOption(options.id('id', 'member'))
    .action(({ id }) =>
      change(async (act) => {
        await removeSecondFactor(act, id);
        return { id };
      }),
    );
  member
    .command('sign-out')
    .description('end every session of a member')
    .addOption(options.id('id', 'member'))
    .action(({ id }) => change(async (act) => ({ id, sessions: await signMemberOut(act, id) })));
  member.addCommand(memberErase(operator));
}
