import { text } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { readSettings, requireSetting } from '../config/settings.ts';
import { createDatabase } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import { migrate } from '../db/migrate.ts';
import { databaseRoles, prepareRoles } from '../db/roles.ts';
import { homeFolder } from '../dev/home.ts';
import { readRunFile } from '../dev/run-file.ts';
import { inspectSecret } from '../domain/access/inspect-secret.ts';
import { createKey, presentKey } from '../domain/access/keys.ts';
import { isPublishableScope, scopes as allScopes } from '../domain/access/scopes.ts';
import { operator } from '../domain/audit.ts';
import { grantCredits } from '../domain/credits.ts';
import {
  addMember,
  changeRole,
  createOrganisation,
  removeMember,
  updateOrganisation,
} from '../domain/organisations.ts';
import { hashPassword, setPassword, signMemberOut } from '../domain/sign-in/passwords.ts';
import { createSite, endMaintenance, startMaintenance, updateSite } from '../domain/sites.ts';
import * as options from './options.ts';
import { readPassword } from './password.ts';

const DEFAULT_RETRY_AFTER = 300;
/** What the column holds. */
const LONGEST_RETRY_AFTER = 2_147_483_647;

/** The operator's command: works on the database directly and prints one JSON object (decisions 12). */
export function adminCommand(): Command {
  const admin = new Command('admin').description('administer the service, on its database directly');
  admin.addCommand(organisations()).addCommand(members()).addCommand(sites()).addCommand(keys());
  admin.addCommand(credits()).addCommand(maintenance());
  admin
    .command('migrate')
    .description('bring the database schema up to date')
    .action(async () => print({ applied: await migrate(migrationUrl()) }));
  admin
    .command('roles')
    .description('make the database roles that the *_DATABASE_URL variables name, or change their passwords')
    .action(async () => print({ roles: await makeRoles() }));
  return admin;
}

function organisations(): Command {
  const org = new Command('org').description('organisations');
  org
    .command('create')
    .addOption(options.name('name of the organisation'))
    .addOption(options.plan().default('free'))
    .addOption(options.number('credits', 'credits to begin with').default(0))
    .action((o) => run(async (tx, now) => ({ id: await createOrganisation(tx, operator, o, now) })));
  org
    .command('update')
    .addOption(options.id('id', 'organisation'))
    .addOption(options.plan())
    .addOption(new Option('--agent-access <state>', 'whether AI agents may use keys').choices(['on', 'off']))
    .action((o) =>
      run(async (tx, now) => {
        const agentAccess = o.agentAccess === undefined ? undefined : o.agentAccess === 'on';
        await updateOrganisation(tx, operator, o.id, { plan: o.plan, agentAccess }, now);
        return { id: o.id };
      }),
    );
  return org;
}

function members(): Command {
  const member = new Command('member').description('people of an organisation');
  member
    .command('add')
    .addOption(options.id('org', 'organisation'))
    .addOption(options.email())
    .addOption(options.role())
    .action(({ org, email, role }) =>
      run(async (tx, now) => ({
        id: await addMember(tx, operator, { organisationId: org, email, role }, now),
      })),
    );
  member
    .command('role')
    .addOption(options.id('id', 'member'))
    .addOption(options.role())
    .action(({ id, role }) =>
      run(async (tx, now) => {
        await changeRole(tx, operator, id, role, now);
        return { id, role };
      }),
    );
  member
    .command('remove')
    .addOption(options.id('id', 'member'))
    .action(({ id }) =>
      run(async (tx, now) => {
        await removeMember(tx, operator, id, now);
        return { id };
      }),
    );
  member
    .command('password')
    .description(
      'set the password for signing in with a browser; it is read from standard input, or asked for',
    )
    .addOption(options.id('id', 'member'))
    .action(async ({ id }) => {
      const passwordHash = await hashPassword(await readPassword());
      await run(async (tx, now) => {
        await setPassword(tx, operator, id, passwordHash, now);
        return { id };
      });
    });
  member
    .command('sign-out')
    .description('end every session of a member')
    .addOption(options.id('id', 'member'))
    .action(({ id }) =>
      run(async (tx, now) => ({ id, sessions: await signMemberOut(tx, operator, id, now) })),
    );
  return member;
}

function sites(): Command {
  const site = new Command('site').description('Sites');
  site
    .command('create')
    .addOption(options.id('org', 'organisation'))
    .addOption(options.name('display name'))
    .addOption(options.domain())
    .addOption(options.timezone().default('UTC'))
    .addOption(new Option('--locale <locale>', 'language of the blog').default('en'))
    .addOption(options.spendCap().default('none'))
    .action(({ org, ...values }) =>
      run(async (tx, now) => ({
        id: await createSite(
          tx,
          operator,
          { ...values, spendCap: capOf(values.spendCap) ?? null, organisationId: org },
          now,
        ),
      })),
    );
  site
    .command('update')
    .addOption(options.id('id', 'Site'))
    .addOption(options.spendCap())
    .addOption(options.timezone())
    .action(({ id, ...changes }) =>
      run(async (tx, now) => {
        await updateSite(tx, operator, id, { ...changes, spendCap: capOf(changes.spendCap) }, now);
        return { id };
      }),
    );
  return site;
}

function keys(): Command {
  const key = new Command('key').description('API keys');
  key
    .command('create')
    .addOption(options.id('site', 'Site'))
    .addOption(options.id('member', 'person in whose name the key acts'))
    .addOption(
      new Option('--kind <kind>', 'kind of key').choices(['secret', 'publishable']).makeOptionMandatory(),
    )
    .addOption(options.name('human label'))
    .addOption(options.scopeList())
    .addOption(new Option('--agent', 'the key is held by an AI agent').default(false))
    .action((o) =>
      run(async (tx, now) => {
        const all = o.kind === 'publishable' ? allScopes.filter(isPublishableScope) : allScopes;
        const scopes = o.scopes === 'all' ? all : o.scopes;
        const values = { siteId: o.site, memberId: o.member, name: o.name, kind: o.kind, scopes };
        const created = await createKey(
          tx,
          operator,
          { ...values, heldByAgent: o.agent, expiresAt: null },
          now,
        );
        return { ...presentKey(created.key), secret: created.secret };
      }),
    );
  key
    .command('inspect')
    .description('say which key a secret is of, without showing it')
    .argument('<secret>', 'the string that was found; - reads it from standard input')
    .action((given: string) =>
      run(async (tx, now) =>
        inspectSecret(tx, given === '-' ? (await text(process.stdin)).trim() : given, now),
      ),
    );
  return key;
}

function credits(): Command {
  const credit = new Command('credits').description('credits of an organisation');
  credit
    .command('grant')
    .addOption(options.id('org', 'organisation'))
    .addOption(options.number('amount', 'credits to add', { minimum: 1 }).makeOptionMandatory())
    .action(({ org, amount }) =>
      run(async (tx, now) => ({ id: org, balance: await grantCredits(tx, operator, org, amount, now) })),
    );
  return credit;
}

function maintenance(): Command {
  const command = new Command('maintenance').description('pause writes, of one Site or of the platform');
  command
    .command('on')
    .addOption(options.optionalId('site', 'Site; without it the whole platform'))
    .addOption(
      options
        .number('retry-after', 'seconds for Retry-After', { minimum: 1, maximum: LONGEST_RETRY_AFTER })
        .default(DEFAULT_RETRY_AFTER),
    )
    .action(({ site = null, retryAfter }) =>
      run(async (tx, now) => {
        await startMaintenance(tx, operator, site, retryAfter, now);
        return { maintenance: 'on', site, retry_after: retryAfter };
      }),
    );
  command
    .command('off')
    .addOption(options.optionalId('site', 'Site; without it the whole platform'))
    .action(({ site = null }) =>
      run(async (tx, now) => {
        await endMaintenance(tx, operator, site, now);
        return { maintenance: 'off', site };
      }),
    );
  return command;
}

/** commander turns a parsed null into an empty text, so that `none` becomes null only here. */
const capOf = (cap: number | 'none' | undefined): number | null | undefined => (cap === 'none' ? null : cap);

/** One transaction a command, and its result printed once it is committed. */
async function run(work: (tx: Transaction, now: Date) => Promise<object>): Promise<void> {
  const db = createDatabase({
    connectionString: databaseUrl(),
    applicationName: 'presswork-admin',
    poolSize: 1,
  });
  try {
    print(await db.transaction((tx) => work(tx, new Date())));
  } finally {
    await db.close();
  }
}

const print = (result: object): void => console.log(JSON.stringify(result));

/** The database that is named, or the one that npm start runs. */
const databaseUrl = (): string =>
  required(readSettings().DATABASE_URL ?? readRunFile(homeFolder())?.database_url);

/** The same, as the role that owns the schema where one is named. */
function migrationUrl(): string {
  const { MIGRATION_DATABASE_URL: migrator, DATABASE_URL: only } = readSettings();
  return required(migrator ?? only ?? readRunFile(homeFolder())?.migration_database_url);
}

function required(url: string | undefined): string {
  if (url === undefined) {
    throw new Error('DATABASE_URL: is not set, and npm start has not run here. Name the database.');
  }
  return url;
}

/** @returns their names */
async function makeRoles(): Promise<string[]> {
  const settings = readSettings();
  const support = settings.SUPPORT_DATABASE_URL;
  const urls = {
    migrator: requireSetting(settings, 'MIGRATION_DATABASE_URL'),
    application: requireSetting(settings, 'DATABASE_URL'),
    ...(support !== undefined && { support }),
  };
  await prepareRoles(requireSetting(settings, 'ADMIN_DATABASE_URL'), urls);
  return Object.keys(urls).map((kind) => databaseRoles[kind as keyof typeof databaseRoles]);
}
