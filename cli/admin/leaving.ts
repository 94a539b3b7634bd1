import { setTimeout } from 'node:timers/promises';
import { Command, Option } from 'commander';
import type { Database } from '../../db/database.ts';
import { operator } from '../../domain/audit/record.ts';
import type { Act } from '../../domain/audit/change.ts';
import { findDeletion, listSiteDeletions } from '../../domain/leaving/deletion.ts';
import type { Deletion } from '../../domain/leaving/deletion.ts';
import { eraseActorNames, eraseMember, logPlaces } from '../../domain/leaving/erase-member.ts';
import {
  countOrganisationRows,
  requestOrganisationDeletion,
} from '../../domain/leaving/organisation-deletion.ts';
import { listSites } from '../../domain/leaving/export.ts';
import { presentDeletion } from '../../domain/leaving/present.ts';
import { countRows, requestSiteDeletion } from '../../domain/leaving/site-deletion.ts';
import * as options from './options.ts';
import type { Operator } from './operator.ts';

const WAIT_MS = 1_000;
/** Rows of the audit log in one transaction. */
const BATCH = 5_000;

const confirm = (what: string): Option =>
  new Option('--confirm <text>', `${what}, typed to confirm that it is the right one`);

const act = <Result>(db: Database, work: (act: Act) => Promise<Result>): Promise<Result> =>
  db.transaction((tx) => work({ tx, actor: operator, now: new Date() }));

interface DeletionOptions {
  readonly id: string;
  readonly confirm?: string;
  readonly by: string;
  readonly dryRun?: true;
  readonly wait?: true;
}

const deletionCommand = (what: string, description: string): Command =>
  new Command('delete')
    .description(description)
    .addOption(options.id('id', what))
    .addOption(confirm(`name of the ${what}`))
    .addOption(options.by())
    .option('--dry-run', 'only count what would be deleted')
    .option('--wait', 'wait until everything is deleted');

/** `site delete`: asks for the deletion, and prints the receipt as far as it is written. */
export const siteDelete = ({ onDatabase }: Operator): Command =>
  deletionCommand('Site', 'delete a Site with everything in it; again, to see how far it is').action(
    (o: DeletionOptions, command: Command) => {
      if (o.dryRun) return onDatabase(async (db) => ({ id: o.id, would_delete: await countRows(db, o.id) }));
      const request = { confirm: confirmed(o, command), by: o.by };
      return onDatabase(async (db) => {
        const asked = await act(db, (acting) => requestSiteDeletion(acting, o.id, request));
        return presentDeletion(o.wait ? await finished(db, asked) : asked);
      });
    },
  );

/** `org delete`: the same for an organisation, with all its Sites. */
export const organisationDelete = ({ onDatabase }: Operator): Command =>
  deletionCommand('organisation', 'delete an organisation with its Sites and members').action(
    (o: DeletionOptions, command: Command) => {
      if (o.dryRun) return onDatabase((db) => countOrganisation(db, o.id));
      const request = { confirm: confirmed(o, command), by: o.by };
      return onDatabase(async (db) => {
        const asked = await act(db, (acting) => requestOrganisationDeletion(acting, o.id, request));
        const deletion = o.wait ? await finished(db, asked) : asked;
        const sites = await listSiteDeletions(db, o.id);
        return { ...presentDeletion(deletion), sites: sites.map(presentDeletion) };
      });
    },
  );

function confirmed({ confirm: typed }: DeletionOptions, command: Command): string {
  return (
    typed ?? command.error('error: give --confirm with the name, or --dry-run to count', { exitCode: 2 })
  );
}

async function countOrganisation(db: Database, id: string): Promise<object> {
  const sites = [];
  for (const site of await listSites(db, id))
    sites.push({ id: site.id, name: site.name, would_delete: await countRows(db, site.id) });
  return { id, would_delete: await countOrganisationRows(db, id), sites };
}

async function finished(db: Database, asked: Deletion): Promise<Deletion> {
  for (let deletion: Deletion | null = asked; ;) {
    if (deletion === null || deletion.finished_at !== null) return deletion ?? asked;
    await setTimeout(WAIT_MS);
    deletion = await findDeletion(db, asked.target_id);
  }
}

/** `member erase`: erases the identity of a person, in short transactions. Run again, it continues. */
export const memberErase = ({ onDatabase }: Operator): Command =>
  new Command('erase')
    .description('erase what identifies a member, and revoke their keys; the audit log keeps an opaque id')
    .addOption(options.id('id', 'member'))
    .addOption(confirm('e-mail address of the member').makeOptionMandatory())
    .addOption(options.by())
    .action(({ id, ...request }) =>
      onDatabase(async (db) => {
        const { organisationId, keys, others } = await act(db, (acting) => eraseMember(acting, id, request));
        let rows = 0;
        for (const place of await logPlaces(db, organisationId)) {
          let erased;
          do {
            erased = await db.transaction((tx) => eraseActorNames(tx, id, place, BATCH));
            rows += erased;
          } while (erased > 0);
        }
        return { id, erased: true, keys_revoked: keys, audit_rows: rows, same_address: others };
      }),
    );
