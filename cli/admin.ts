import { text } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { databaseAccess, migrationUrl } from '../runtime/database-access.ts';
import { readSettings, requireSetting } from '../runtime/settings.ts';
import { createDatabase } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { databaseRoles, prepareRoles } from '../db/roles.ts';
import { homeFolder, readRunFile } from '../runtime/home.ts';
import { inspectSecret } from '../domain/access/inspect-secret.ts';
import { createKey } from '../domain/access/keys.ts';
import { presentKey } from '../domain/access/present.ts';
import { isPublishableScope, scopes as allScopes } from '../domain/access/scopes.ts';
import { operator } from '../domain/audit/record.ts';
import type { Act } from '../domain/audit/change.ts';
import { grantCredits } from '../domain/usage/credits.ts';
import {
  addMember,
  changeRole,
  createOrganisation,
  removeMember,
  updateOrganisation,
} from '../domain/organisations/organisations.ts';
import { resealSecrets } from '../domain/reseal.ts';
import { createSecretBox } from '../domain/secret-box.ts';
import { hashPassword, setPassword, signMemberOut } from '../domain/sign-in/passwords.ts';
import { removeSecondFactor } from '../domain/sign-in/second-factor.ts';
import { createSite, endMaintenance, startMaintenance, updateSite } from '../domain/organisations/sites.ts';
import { canaryCommand } from './canary/command.ts';
import { codecServerCommand } from './codec-server.ts';
import { memberErase, organisationDelete, siteDelete } from './leaving.ts';
import * as options from './options.ts';
import { readPassword } from './password.ts';
import { webhooks } from './webhooks.ts';

const DEFAULT_RETRY_AFTER = 300;
/** The maximum of an integer column. */
const LONGEST_RETRY_AFTER = 2_147_483_647;

/**
 * The operator's commands. Each works directly on the database and prints one JSON object (docs/spec/rulings.md, 12).
 */
export function adminCommand(): Command {
  const admin = new Command('admin').description('administer the service directly on its database');
  admin.addCommand(organisations()).addCommand(members()).addCommand(sites()).addCommand(keys());
  admin.addCommand(credits()).addCommand(maintenance()).addCommand(webhooks(onDatabase));
  admin.addCommand(canaryCommand());
  admin.addCommand(codecServerCommand());
  admin
    .command('migrate')
    .description('migrate the database schema to this version')
    .action(async () => {
      const settings = readSettings();
      const url = migrationUrl(settings) ?? readRunFile(homeFolder())?.migration_database_url;
      print({ applied: await migrate(required(url), undefined, databaseAccess(settings)) });
    });
  admin
    .command('roles')
    .description('create the database roles named by the *_DATABASE_URL variables, or change their passwords')
    .action(async () => print({ roles: await makeRoles() }));
  admin
    .command('reseal')
    .description('seal every stored secret with the first key of ENCRYPTION_KEY; safe to repeat')
    .action(() => onDatabase(reseal));
  return admin;
}

function organisations(): Command {
  const org = new Command('org').description('organisations');
  org
    .command('create')
    .addOption(options.name('name of the organisation'))
    .addOption(options.plan().default('free'))
    .addOption(options.number('credits', 'initial credits').default(0))
    .action((o) => run(async (act) => ({ id: await createOrganisation(act, o) })));
  org
    .command('update')
    .addOption(options.id('id', 'organisation'))
    .addOption(options.plan())
    .addOption(new Option('--agent-access <state>', 'whether AI agents may use keys').choices(['on', 'off']))
    .action((o) =>
      run(async (act) => {
        const agentAccess = o.agentAccess === undefined ? undefined : o.agentAccess === 'on';
        await updateOrganisation(act, o.id, { plan: o.plan, agentAccess });
        return { id: o.id };
      }),
    );
  org.addCommand(organisationDelete(onDatabase));
  org
    .command('export')
    .description('write everything that an organisation owns into a folder')
    .addOption(options.id('id', 'organisation'))
    .addOption(options.folder())
    .addOption(options.by())
    .action(({ id, out, by }) => exportOrganisation(id, out, by));
  return org;
}

function members(): Command {
  const member = new Command('member').description('members of an organisation');
  member
    .command('add')
    .addOption(options.id('org', 'organisation'))
    .addOption(options.email())
    .addOption(options.role())
    .action(({ org, email, role }) =>
      run(async (act) => ({
        id: await addMember(act, { organisationId: org, email, role }),
      })),
    );
  member
    .command('role')
    .addOption(options.id('id', 'member'))
    .addOption(options.role())
    .action(({ id, role }) =>
      run(async (act) => {
        await changeRole(act, id, role);
        return { id, role };
      }),
    );
  member
    .command('remove')
    .addOption(options.id('id', 'member'))
    .action(({ id }) =>
      run(async (act) => {
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
      const passwordHash = await hashPassword(await readPassword());
      await run(async (act) => {
        await setPassword(act, id, passwordHash);
        return { id };
      });
    });
  member
    .command('two-factor-off')
    .description('remove the second factor of a member who has lost it')
    .addOption(options.id('id', 'member'))
    .action(({ id }) =>
      run(async (act) => {
        await removeSecondFactor(act, id);
        return { id };
      }),
    );
  member
    .command('sign-out')
    .description('end every session of a member')
    .addOption(options.id('id', 'member'))
    .action(({ id }) => run(async (act) => ({ id, sessions: await signMemberOut(act, id) })));
  member.addCommand(memberErase(onDatabase));
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
    .addOption(options.locale().default('en'))
    .addOption(options.spendCap().default('none'))
    .action(({ org, ...values }) =>
      run(async (act) => ({
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
      run(async (act) => {
        await updateSite(act, id, { ...changes, spendCap: capOf(changes.spendCap) });
        return { id };
      }),
    );
  site.addCommand(siteDelete(onDatabase));
  return site;
}

function keys(): Command {
  const key = new Command('key').description('API keys');
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
    .action((o) =>
      run(async (act) => {
        const all = o.kind === 'publishable' ? allScopes.filter(isPublishableScope) : allScopes;
        const scopes = o.scopes === 'all' ? all : o.scopes;
        const values = { siteId: o.site, memberId: o.member, name: o.name, kind: o.kind, scopes };
        const created = await createKey(act, { ...values, heldByAgent: o.agent, expiresAt: null });
        return { ...presentKey(created.key), secret: created.secret };
      }),
    );
  key
    .command('inspect')
    .description('show which key a secret belongs to, without printing the secret')
    .argument('<secret>', 'the secret; - reads it from standard input')
    .action((given: string) =>
      run(async (act) =>
        inspectSecret(act.tx, given === '-' ? (await text(process.stdin)).trim() : given, act.now),
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
      run(async (act) => ({ id: org, balance: await grantCredits(act, org, amount) })),
    );
  return credit;
}

function maintenance(): Command {
  const command = new Command('maintenance').description('pause writes of one Site or of the platform');
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
      run(async (act) => {
        await startMaintenance(act, site, retryAfter);
        return { maintenance: 'on', site, retry_after: retryAfter };
      }),
    );
  command
    .command('off')
    .addOption(options.optionalId('site', 'Site; the default is the whole platform'))
    .action(({ site = null }) =>
      run(async (act) => {
        await endMaintenance(act, site);
        return { maintenance: 'off', site };
      }),
    );
  return command;
}

/** `none` becomes null only here, because commander turns a parsed null into an empty text. */
const capOf = (cap: number | 'none' | undefined): number | null | undefined => (cap === 'none' ? null : cap);

/** Runs a command in one transaction, and prints its result after the commit. */
const run = (work: (act: Act) => Promise<object>): Promise<void> =>
  onDatabase((db) => db.transaction((tx) => work({ tx, actor: operator, now: new Date() })));

/** Runs a command that takes several transactions, and prints its result. */
async function onDatabase(work: (db: Database) => Promise<object>): Promise<void> {
  const db = createDatabase({
    ...databaseAccess(readSettings()),
    connectionString: databaseUrl(),
    applicationName: 'presswork-admin',
    poolSize: 1,
  });
  try {
    print(await work(db));
  } finally {
    await db.close();
  }
}

async function exportOrganisation(organisationId: string, out: string, by: string): Promise<void> {
  // Loaded here, because the storage client takes longer to load than most commands to run.
  const [{ createBucket }, { createObjectStore }, { exportToFolder }] = await Promise.all([
    import('../adapters/storage/bucket.ts'),
    import('../adapters/storage/objects.ts'),
    import('./export/organisation.ts'),
  ]);
  const settings = readSettings({ ...readRunFile(homeFolder())?.storage, ...process.env });
  const objects = createObjectStore(createBucket(settings), '');
  const login = { databaseUrl: databaseUrl(), access: databaseAccess(settings) };
  await onDatabase((db) => exportToFolder({ db, login, objects }, { organisationId, by, out }));
}

const print = (result: object): void => console.log(JSON.stringify(result));

/** DATABASE_URL, or the database of `npm start`. */
const databaseUrl = (): string =>
  required(readSettings().DATABASE_URL ?? readRunFile(homeFolder())?.database_url);

function required(url: string | undefined): string {
  if (url === undefined) {
    throw new Error('DATABASE_URL: must be set, because npm start has not run in this folder.');
  }
  return url;
}

/** @throws Error if a secret cannot be opened with any of the keys */
async function reseal(db: Database): Promise<object> {
  const box = createSecretBox(...requireSetting(readSettings(), 'ENCRYPTION_KEY'));
  const counts = await resealSecrets(db, box, ({ resealed, already, unreadable }) =>
    console.error(`${resealed} sealed now, ${already} before, ${unreadable} unreadable`),
  );
  if (counts.unreadable === 0) return counts;
  throw new Error(
    `ENCRYPTION_KEY: ${counts.unreadable} secrets are sealed with a key that is not among these; ${counts.resealed} were sealed with the newest, ${counts.already} had been.`,
  );
}

/** @returns the names of the roles */
async function makeRoles(): Promise<string[]> {
  const settings = readSettings();
  const support = settings.SUPPORT_DATABASE_URL;
  const urls = {
    migrator: requireSetting(settings, 'MIGRATION_DATABASE_URL'),
    application: requireSetting(settings, 'DATABASE_URL'),
    ...(support !== undefined && { support }),
  };
  await prepareRoles(requireSetting(settings, 'ADMIN_DATABASE_URL'), urls, databaseAccess(settings));
  return Object.keys(urls).map((kind) => databaseRoles[kind as keyof typeof databaseRoles]);
}
