import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFullSite, rowsOfSite } from '../support/full-site.ts';
import { buildArticle, buildPerson, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { environment } from '../support/environment.ts';
import { storedKeys } from '../support/objects.ts';
import { absent, startAdministrator } from './administrator.ts';
import type { Administrator, Run } from './administrator.ts';

let operator: Administrator;
let folder: string;

beforeAll(async () => {
  operator = await startAdministrator();
  folder = mkdtempSync(join(tmpdir(), 'presswork-leaving-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await operator.close();
});

const query = async (text: string, ...values: unknown[]): Promise<any[]> =>
  (await operator.api.db.pool.query(text, values)).rows;

describe('site delete', () => {
  let tenant: Tenant;
  let name: string;
  const remove = (...args: string[]): Promise<Run> =>
    operator.admin(['site', 'delete', '--id', tenant.siteId, ...args]);

  beforeAll(async () => {
    tenant = await buildTenant(operator.api.db);
    [{ name }] = await query('select name from sites where id = $1', tenant.siteId);
  });

  test('without the name it is wrong usage; with another name it is refused, and nothing is deleted', async () => {
    expect((await remove()).code).toBe(2);
    const refused = await remove('--confirm', name.toUpperCase());
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('confirm');
    expect((await operator.admin(['site', 'delete', '--id', absent, '--confirm', name])).code).toBe(1);
    expect(await query('select from deletions')).toEqual([]);
  });

  test('a dry run prints the counts', async () => {
    const { json } = await remove('--dry-run');
    expect(json.would_delete).toMatchObject({ sites: 1, api_keys: 2, api_key_secrets: 2 });
    expect((await operator.admin(['site', 'delete', '--id', absent, '--dry-run'])).code).toBe(1);
    expect(await query('select from deletions')).toEqual([]);
  });

  test('it prints the receipt; two operators ask for one deletion, whose workflow is started', async () => {
    const [one, two] = await Promise.all([
      remove('--confirm', name, '--by', 'olga'),
      remove('--confirm', name, '--by', 'otto'),
    ]);
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(two.json).toEqual(one.json);
    expect(one.json).toMatchObject({ id: tenant.siteId, kind: 'site', state: 'deleting', finished_at: null });
    expect(['olga', 'otto']).toContain(one.json.asked_by);
    const messages = await query(
      `select kind, workflow_id, payload from outbox where kind = 'site-deletion'`,
    );
    expect(messages[0]).toEqual({
      kind: 'site-deletion',
      workflow_id: `site-deletion/${tenant.siteId}`,
      payload: { siteId: tenant.siteId },
    });
    expect(await query(`select from audit_log where action = 'site.delete'`)).toHaveLength(1);
    expect((await operator.api.request('GET', '/ping', { key: tenant.secretKey })).status).toBe(401);
  });
});

test('org delete asks for all its Sites, and nothing can be added to it any more', async () => {
  const { organisationId, siteId, secretKey } = await buildTenant(operator.api.db);
  const [{ name }] = await query('select name from organisations where id = $1', organisationId);
  const dry = await operator.admin(['org', 'delete', '--id', organisationId, '--dry-run']);
  expect(dry.json).toMatchObject({ would_delete: { organisations: 1, members: 1 }, sites: [{ id: siteId }] });
  const { code, json } = await operator.admin(['org', 'delete', '--id', organisationId, '--confirm', name]);
  expect(code).toBe(0);
  expect(json).toMatchObject({
    kind: 'organisation',
    state: 'deleting',
    sites: [{ id: siteId, state: 'deleting' }],
  });
  expect((await operator.api.request('GET', '/ping', { key: secretKey })).status).toBe(401);
  const site = ['site', 'create', '--org', organisationId, '--name', 'New', '--domain', 'new.example.com'];
  expect((await operator.admin(site)).code).toBe(1);
  const member = ['member', 'add', '--org', organisationId, '--email', 'new@example.com', '--role', 'viewer'];
  expect((await operator.admin(member)).code).toBe(1);
});

describe('member erase', () => {
  const email = `Erika.${randomUUID().slice(0, 8)}@editors.example`;
  const label = `Laptop of Erika ${randomUUID().slice(0, 8)}`;
  let tenant: Tenant;
  let memberId: string;
  let key: { id: string; secret: string };

  /** Columns of the database in which a text occurs, whatever their type. */
  async function placesOf(text: string): Promise<string[]> {
    const columns = await query(
      `select c.relname as relation, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
    );
    const places: string[] = [];
    for (const { relation, column } of columns) {
      const found = await query(
        `select from "${relation}" where strpos(lower("${column}"::text), lower($1)) > 0 limit 1`,
        text,
      );
      if (found.length > 0) places.push(`${relation}.${column}`);
    }
    return places.toSorted();
  }

  beforeAll(async () => {
    const { api } = operator;
    tenant = await buildTenant(api.db);
    const all = { url: 'https://receiver.example/hooks', events: ['*'] };
    expect((await api.request('POST', '/webhooks', { key: tenant.secretKey, body: all })).status).toBe(201);
    ({ memberId } = await buildPerson(api.db, tenant.organisationId, { email, role: 'admin' }));
    const args = ['--site', tenant.siteId, '--member', memberId, '--kind', 'secret', '--scopes', 'all'];
    key = (await operator.admin(['key', 'create', ...args, '--name', label])).json;
    await buildArticle(api, key.secret, { title: 'By a person' });
    // An agent asks a person to revoke the key, and shows them whose it is.
    const agent = (await operator.admin(['key', 'create', ...args, '--name', `${label} 2`, '--agent'])).json;
    const revoke = await api.request('DELETE', `/keys/${key.id}`, { key: agent.secret });
    expect(revoke.status).toBe(202);
    const invite = { email: `other.${email}`, role: 'viewer' };
    const invited = await api.request('POST', '/team/invitations', {
      key: key.secret,
      body: invite,
      idempotencyKey: true,
    });
    expect(invited.status).toBe(201);
    await query(
      `insert into second_factors (member_id, secret, created_at, confirmed_at) values ($1, 'sealed', now(), now())`,
      memberId,
    );
    await query(`insert into recovery_codes (member_id, hash) values ($1, sha256('code'))`, memberId);
    for (const purpose of ['password', 'sign_in'])
      await query(
        `insert into one_time_links (member_id, purpose, token_hash, expires_at) values ($1, $2::text, sha256($2::text::bytea), now() + interval '1 day')`,
        memberId,
        purpose,
      );
    await query(
      `insert into audit_log (id, organisation_id, at, actor_kind, actor_id, actor_name, action, target_type, target_id)
       values (uuidv7(), $1, now(), 'person', $2, $3, 'sign_in.succeed', 'member', $2)`,
      tenant.organisationId,
      memberId,
      email,
    );
    await query(
      `insert into audit_log (id, organisation_id, site_id, at, actor_kind, actor_id, actor_name, action, details)
       values (uuidv7(), $1, $2, now(), 'person', $3, $4, 'device_sign_in.approve', jsonb_build_object('client_name', $5::text, 'held_by_agent', true))`,
      tenant.organisationId,
      tenant.siteId,
      memberId,
      email,
      label,
    );
  });

  test('is refused with another address', async () => {
    const { code, stderr } = await operator.admin([
      'member',
      'erase',
      '--id',
      memberId,
      '--confirm',
      'x@example.com',
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('confirm')]);
    const named = ['api_keys.name', 'audit_log.actor_name', 'events.body'];
    expect(await placesOf(label)).toEqual(expect.arrayContaining(named));
    expect(await placesOf(email)).toEqual(expect.arrayContaining(['members.email', 'audit_log.actor_name']));
  });

  test('leaves the address and the names of keys nowhere, and revokes the keys', async () => {
    const erase = () =>
      operator.admin(['member', 'erase', '--id', memberId, '--confirm', email, '--by', 'olga']);
    const { code, json, stderr } = await erase();
    expect([code, stderr]).toEqual([0, '']);
    expect(json).toMatchObject({ id: memberId, erased: true, keys_revoked: 2, same_address: [] });
    // The address of the other person contains it: that person is still a member.
    await query(`update members set email = 'other' where email = $1`, `other.${email}`);
    await query(`delete from idempotency_records where body like '%other.%'`);
    expect([await placesOf(email), await placesOf(label)]).toEqual([[], []]);
    expect((await operator.api.request('GET', '/ping', { key: key.secret })).status).toBe(401);
    const told = await query(
      `select event, body::jsonb #>> '{data,name}' as name, body::jsonb #>> '{data,requested_by,name}' as agent
       from events where site_id = $1 and event ~ '^(key|approval)' order by event`,
      tenant.siteId,
    );
    expect(told).toEqual([
      { event: 'approval.requested', name: null, agent: 'erased' },
      { event: 'key.created', name: 'erased', agent: null },
      { event: 'key.created', name: 'erased', agent: null },
      { event: 'key.revoked', name: 'erased', agent: null },
      { event: 'key.revoked', name: 'erased', agent: null },
    ]);
    for (const table of ['second_factors', 'recovery_codes', 'one_time_links', 'pending_sign_ins'])
      expect([table, await query(`select from ${table} where member_id = $1`, memberId)]).toEqual([
        table,
        [],
      ]);
    expect((await erase()).json).toMatchObject({ erased: true, audit_rows: 0 });
  });

  test('the log keeps what was done, under the opaque id of who did it', async () => {
    const rows = await query(
      `select actor_kind, actor_id, actor_name, details from audit_log where actor_id = any($1) order by action`,
      [memberId, key.id],
    );
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(new Set(rows.map(({ actor_name }) => actor_name))).toEqual(new Set(['erased']));
    const device = rows.find(({ details }) => 'held_by_agent' in details);
    expect(device.details).toEqual({ held_by_agent: true });
  });

  test('nothing else of the log can be changed, and nobody else’s name', async () => {
    for (const change of [
      `set action = 'nothing'`,
      `set actor_name = 'somebody'`,
      `set details = '{}'`,
      `set actor_id = null`,
    ])
      for (const where of [`actor_id = '${memberId}'`, `actor_name = 'operator'`])
        await expect(query(`update audit_log ${change} where ${where} and details <> '{}'`)).rejects.toThrow(
          'takes new rows only',
        );
    await expect(
      query(`update audit_log set actor_name = 'erased' where actor_name = 'operator'`),
    ).rejects.toThrow('takes new rows only');
  });
});

describe('org export', () => {
  let tenant: Tenant;
  let out: string;
  let manifest: any;
  const read = (path: string) => readFileSync(join(out, path));
  const exported = (target: string) =>
    operator.admin(['org', 'export', '--id', tenant.organisationId, '--out', target, '--by', 'olga'], {
      DATABASE_URL: operator.api.url,
      S3_ENDPOINT: environment('S3_ENDPOINT'),
      S3_REGION: environment('S3_REGION'),
      S3_BUCKET: environment('S3_BUCKET'),
      S3_ACCESS_KEY_ID: environment('S3_ACCESS_KEY_ID'),
      S3_SECRET_ACCESS_KEY: environment('S3_SECRET_ACCESS_KEY'),
    });

  beforeAll(async () => {
    tenant = await buildFullSite(operator.api);
    await buildFullSite(operator.api);
    out = join(folder, 'export');
    const { code, stderr, json } = await exported(out);
    expect([code, stderr]).toEqual([0, '']);
    expect(json).toMatchObject({ id: tenant.organisationId, sites: 1, missing: [] });
    manifest = JSON.parse(read('manifest.json').toString());
  }, 120_000);

  test('the manifest names every file, with its size, checksum and rows', () => {
    expect(manifest).toMatchObject({
      format: 'presswork-export',
      version: 1,
      sites: [{ id: tenant.siteId }],
    });
    for (const { path, bytes, sha256, rows } of manifest.files) {
      const content = read(path);
      expect([path, content.length]).toEqual([path, bytes]);
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
      if (rows !== undefined) expect(content.toString().split('\n')).toHaveLength(rows + 1);
    }
    expect(statSync(out).mode & 0o077).toBe(0);
  });

  test('it has all rows of the Site and its organisation, and nobody else’s', async () => {
    const counts = await rowsOfSite(operator.api, tenant.siteId);
    for (const table of [
      'articles',
      'comments',
      'events',
      'media_assets',
      'webhook_endpoints',
      'api_keys',
      'audit_log',
    ]) {
      const lines = read(`sites/${tenant.siteId}/${table}.ndjson`).toString().trimEnd().split('\n');
      const rows = lines.map((line) => JSON.parse(line));
      expect([table, rows.length]).toEqual([table, counts[table]]);
      expect(new Set(rows.map((row) => row.site_id))).toEqual(new Set([tenant.siteId]));
    }
    const revisions = read(`sites/${tenant.siteId}/article_revisions.ndjson`)
      .toString()
      .trimEnd()
      .split('\n');
    const texts = revisions.map((line) => JSON.parse(line).article.content);
    expect([revisions.length, texts.includes('Text.')]).toEqual([counts['article_revisions'], true]);
    const members = read('organisation/members.ndjson').toString();
    const ledger = read('organisation/credit_ledger.ndjson').toString().trimEnd().split('\n');
    expect(members).toContain(tenant.memberId);
    const [{ count }] = await query(
      'select count(*)::int from credit_ledger where organisation_id = $1',
      tenant.organisationId,
    );
    expect(ledger).toHaveLength(count);
  });

  test('it has the images, byte for byte, and no secret or hash', async () => {
    const images = manifest.files.filter(({ path }: any) => path.includes('/media/'));
    const stored = (await storedKeys(tenant.siteId)).filter((stored) => stored.startsWith('public/'));
    expect(images).toHaveLength(stored.length);
    expect(images.length).toBeGreaterThan(0);
    const names = new Set<string>();
    for (const { path } of manifest.files)
      if (path.endsWith('.ndjson'))
        for (const line of read(path).toString().split('\n'))
          if (line !== '') for (const name of Object.keys(JSON.parse(line))) names.add(name);
    expect(
      [...names].filter((name) =>
        /(hash|salt|_token$|password(?!_reset_at$)|secret|cursor_key|_mac$)/.test(name),
      ),
    ).toEqual([]);
    expect(names.has('content')).toBe(true);
  });

  test('it is in the audit log; a finished export or another folder is not written over', async () => {
    const rows = await query(
      `select details from audit_log where organisation_id = $1 and action = 'organisation.export'`,
      tenant.organisationId,
    );
    expect(rows).toEqual([{ details: { by: 'olga' } }]);
    expect((await exported(out)).stderr).toContain('finished export');
    const foreign = mkdtempSync(join(folder, 'foreign-'));
    writeFileSync(join(foreign, 'notes.txt'), 'mine');
    expect((await exported(foreign)).stderr).toContain('not empty');
  });

  test('interrupted, it is completed by a second run, which keeps the images', async () => {
    const image = manifest.files.find(({ path }: any) => path.includes('/media/'));
    const before = statSync(join(out, image.path)).mtimeMs;
    rmSync(join(out, 'manifest.json'));
    rmSync(join(out, `sites/${tenant.siteId}/articles.ndjson`));
    writeFileSync(join(out, 'unfinished.json'), JSON.stringify({ organisation: tenant.organisationId }));
    expect((await exported(out)).code).toBe(0);
    const again = JSON.parse(read('manifest.json').toString());
    const withoutLog = ({ files }: any) =>
      files.filter(({ path }: any) => !path.endsWith('organisation/audit_log.ndjson'));
    expect(withoutLog(again)).toEqual(withoutLog(manifest));
    expect(statSync(join(out, image.path)).mtimeMs).toBe(before);
  });
});
