import { text } from 'node:stream/consumers';
import { Option } from 'commander';
import type { Command } from 'commander';
import { inspectSecret } from '../../domain/access/inspect-secret.ts';
import { handOutKey } from '../../domain/notifications/hand-out-key.ts';
import { presentKey } from '../../domain/access/present.ts';
import { isPublishableScope, scopes as allScopes } from '../../domain/access/scopes.ts';
import type { Io } from '../../packages/command/io.ts';
import * as options from './options.ts';
import type { Operator } from './operator.ts';

export function keys(key: Command, { change }: Operator, io: Io): void {
  key
    .command('create')
    .addOption(options.id('site', 'Site'))
    .addOption(options.id('member', 'member in whose name the key acts'))
    .addOption(
      new Option('--kind <kind>', 'kind of key').choices(['secret', 'publishable']).makeOptionMandatory(),
    )
    .addOption(options.name('label'))
    .addOption(options.scopeList())
    .addOption(new Option('--agent', 'the key is held by an AI agent').default(false))
    .addOption(new Option('--drafts-only', 'the key changes nothing that readers see').default(false))
    .action((o) =>
      change(async (act) => {
        const all = o.kind === 'publishable' ? allScopes.filter(isPublishableScope) : allScopes;
        const scopes = o.scopes === 'all' ? all : o.scopes;
        const { agent: heldByAgent, draftsOnly, kind, name } = o;
        const values = { siteId: o.site, memberId: o.member, name, kind, scopes, heldByAgent, draftsOnly };
        const created = await handOutKey(act, { ...values, expiresAt: null });
        return { ...presentKey(created.key), secret: created.secret };
      }),
    );
  key
    .command('inspect')
    .description('show which key a secret belongs to, without printing the secret')
    .argument('<secret>', 'the secret; - reads it from standard input')
    .action((given: string) =>
      change(async (act) =>
        inspectSecret(act.tx, given === '-' ? (await text(io.stdin)).trim() : given, act.now),
      ),
    );
}
