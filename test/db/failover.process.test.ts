import { rmSync } from 'node:fs';
import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import { coalescedQuery } from '../../db/throughput/coalesced-query.ts';
import { sql, statement } from '../../db/sql.ts';
import { createAuthentication } from '../../domain/access/authenticate.ts';
import { hashSecret } from '../../domain/access/key-secret.ts';
import { buildTenant } from '../support/builders.ts';
import { copyData, startOwnPostgres } from '../support/own-postgres.ts';
import type { OwnPostgres } from '../support/own-postgres.ts';

/**
 * A server takes over that lacks the last transaction, as an asynchronous standby may, and reuses its transaction id:
 * its data is from an earlier moment.
 */
let postgres: OwnPostgres;
beforeAll(async () => {
  postgres = await startOwnPostgres();
}, 120_000);
afterAll(() => postgres.remove());

test('cached rows and keys are not mistaken for those of a server with other rows under the same transaction ids', async () => {
  const open = () =>
    createDatabase({
      connectionString: postgres.url,
      applicationName: 'test',
      poolSize: 1,
      verifyRows: true,
    });
  const before = open();
  const tenant = await buildTenant(before);
  await before.exec(statement`create table kept (id int primary key, text text not null)`);
  await before.exec(statement`insert into kept values (1, 'before')`);
  await before.close();
  await postgres.stop();
  const standby = `${postgres.folder}.standby`;
  copyData(postgres.folder, standby);
  await postgres.start();

  // The process with the caches; it survives the failover.
  const db = open();
  const authentication = createAuthentication(db);
  const row = z.object({ id: z.number(), row_version: z.string(), text: z.string() });
  let kept: { signature: string | null; text: string } = { signature: null, text: '' };
  const byId = coalescedQuery(
    row,
    { id: 'int' },
    ({ id }) => sql.fragment`select id, xmin::text as row_version, text from kept where id = ${id}`,
  );
  const shown = async (): Promise<string> => {
    const changed = await db.ifChanged(byId({ id: 1 }), kept.signature);
    if (changed !== null) kept = { signature: changed.signature, text: changed.rows[0]?.text ?? '' };
    return kept.text;
  };
  const xmins = sql.type(z.object({ kept: z.string(), site: z.string() }))`
    select (select xmin::text from kept) as kept, (select xmin::text from sites where id = ${tenant.siteId}) as site`;
  const nameOf = async (): Promise<string | undefined> =>
    (await authentication.identify(hashSecret(tenant.secretKey), 'read', new Date()))?.site.name;
  const change = (text: string): Promise<void> =>
    db.transaction(async (tx) => {
      tx.atCommit(statement`update kept set text = ${text}`);
      tx.atCommit(statement`update sites set name = ${text} where id = ${tenant.siteId}`);
    });

  await change('lost');
  const lost = await db.one(xmins);
  for (let times = 0; times < 3; times += 1)
    expect([await shown(), await nameOf()]).toEqual(['lost', 'lost']);

  await postgres.stop();
  rmSync(postgres.folder, { recursive: true });
  copyData(standby, postgres.folder);
  await postgres.start();
  await shown().catch(() => {});
  await change('there');
  // The transaction ids have to be equal, or the test proves nothing.
  expect(await db.one(xmins)).toEqual(lost);
  expect([await shown(), await nameOf()]).toEqual(['there', 'there']);
  await db.close();
});
