import { randomBytes } from 'node:crypto';
import { startApi } from '../../support/api.ts';
import { startComments } from '../../support/comments.ts';
import type { CommentSite, CommentStack } from '../../support/comments.ts';
import { buildArticle, buildPerson } from '../../support/builders.ts';
import { environment } from '../../support/environment.ts';
import { PageVisitor } from '../../support/page.ts';
import { eventually } from '../../support/eventually.ts';
import { startTemporal } from '../../support/temporal.ts';
import type { TestTemporal } from '../../support/temporal.ts';
import { closeReceivers, httpReceiver } from '../../support/receivers.ts';
import { endWorkers, spawnApi, spawnWorker } from '../../worker/processes.ts';
import type { WorkerProcess } from '../../worker/processes.ts';

const token = (): string => randomBytes(24).toString('base64url');

/** Values in requests and error messages of this test, which must not appear in the log. */
const private_ = {
  'an invalid key': `svc_sk_${randomBytes(19).toString('hex')}`,
  'a password': `Pass ${token()}`,
  'a wrong password': `Wrong ${token()}`,
  'a credential of Basic': Buffer.from(`jane:${token()}`).toString('base64'),
  'a cookie': token(),
  "the password of a webhook's URL": token(),
  "the token of a webhook's URL": token(),
  "a commenter's address": 'carla.commenter@readers.example',
  "a person's address": 'pia.person@editors.example',
  'an address in a path': 'paula.path@paths.example',
  'an address in a message': 'mona.message@messages.example',
  'an IPv4 address': '203.0.113.77',
  'another one': '198.51.100.23',
  'an IPv6 address': '2001:db8::beef:77',
};

let stack: CommentStack;
let site: CommentSite;
let temporal: TestTemporal;
let api: WorkerProcess & { origin: string };
let worker: WorkerProcess;
let receiver: Awaited<ReturnType<typeof httpReceiver>>;

beforeAll(async () => {
  [stack, temporal] = await Promise.all([startComments(startApi), startTemporal()]);
  site = await stack.newSite();
  receiver = await httpReceiver((_, response) => response.writeHead(500).end(private_['a password']));
  const settings = {
    databaseUrl: stack.api.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${receiver.port}`,
      LOG_LEVEL: 'trace',
    },
  };
  [api, worker] = [await spawnApi(settings), spawnWorker(settings)];
  await Promise.all([api.working, worker.working]);
});
afterAll(async () => {
  endWorkers();
  await closeReceivers();
  await temporal.close();
  await stack.close();
});

const forwarded = { 'x-forwarded-for': private_['an IPv4 address'] };

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  stack.api.request(method, `${api.origin}/v1${path}`, {
    key: site.secretKey,
    body,
    headers: { ...forwarded, ...headers },
  });

/** Makes PostgreSQL refuse writes to a table, with an error detail that shows the whole row. */
const refuseRowsOf = (table: string): Promise<unknown> =>
  stack.api.db.pool.query(`alter table ${table} add constraint refused_by_the_test check (false) not valid`);

const allowRowsOf = (table: string): Promise<unknown> =>
  stack.api.db.pool.query(`alter table ${table} drop constraint refused_by_the_test`);

async function refusedCalls(): Promise<void> {
  const credentials = [
    `Bearer ${private_['an invalid key']}`,
    `Basic ${private_['a credential of Basic']}`,
    private_['an invalid key'],
  ];
  for (const authorization of credentials) await send('GET', '/ping', undefined, { authorization });
  const [key, address] = [private_['an invalid key'], private_['an address in a path']];
  const paths = [
    `/articles/${key}`,
    `/articles/${address}`,
    `/${encodeURIComponent(address)}`,
    `/ping?key=${key}`,
  ];
  for (const path of paths) await send('GET', path, undefined, { cookie: `session=${private_['a cookie']}` });
  for (const address of [private_['another one'], encodeURIComponent(private_['an IPv6 address'])])
    await send('GET', `/articles/${address}`);
  await send('POST', '/articles', `{"title": "${private_['an address in a message']}`);
}

async function signIns(): Promise<void> {
  const person = {
    email: private_["a person's address"],
    password: private_['a password'],
  };
  await buildPerson(stack.api.db, site.organisationId, person);
  const visitor = new PageVisitor(
    { ...stack.api, origin: api.origin },
    { 'x-forwarded-for': private_['an IPv6 address'] },
  );
  expect((await visitor.signIn(person.email, private_['a wrong password'])).status).toBe(422);
  expect((await visitor.signIn(person.email, person.password)).status).toBe(303);
  await refuseRowsOf('sessions');
  expect((await visitor.signIn(person.email, person.password)).status).toBe(500);
  await allowRowsOf('sessions');
}

async function comments(): Promise<void> {
  const email = private_["a commenter's address"];
  const body = {
    slug: site.slug,
    author_name: 'Carla',
    author_email: email,
    author_ip: private_['another one'],
  };
  await send('POST', '/comments', { ...body, body: 'One.' });
  await refuseRowsOf('comments');
  const { author_ip: _, ...usable } = body;
  expect((await send('POST', '/comments', { ...usable, body: 'Two.' })).status).toBe(500);
  await allowRowsOf('comments');
  expect((await send('POST', '/comments', { ...usable, body: 'Three.' })).status).toBe(201);
  expect((await send('POST', '/comments/erase', { author_email: email })).status).toBe(200);
}

/** Deliveries that fail, and results that cannot be recorded. */
async function webhooks(): Promise<void> {
  const refused = `https://user:${private_["the password of a webhook's URL"]}@hooks.example.com/x`;
  await send('POST', '/webhooks', { url: refused, events: ['comment.created'] });
  const url = `${receiver.url}/hook/${private_["the token of a webhook's URL"]}`;
  const endpoint = await send('POST', '/webhooks', { url, events: ['article.published'] });
  expect(endpoint.status).toBe(201);
  Object.assign(private_, { 'a signing secret': endpoint.data.secret });
  await refuseRowsOf('webhook_deliveries');
  await send('POST', `/webhooks/${endpoint.data.id}/ping`);
  await eventually('the worker cannot record', () => worker.said().includes('could not be recorded yet'));
  await allowRowsOf('webhook_deliveries');
}

/** An activity whose error quotes a reader's text. */
async function activities(): Promise<string> {
  const said = `${private_['an address in a message']} from ${private_['another one']}`;
  const { pool } = stack.api.db;
  await pool.query(`
    create function refused_by_the_test() returns trigger language plpgsql as $$
    begin raise exception 'refused for ${said}' using detail = 'said ${private_['a password']}'; end $$;
    create trigger refused_by_the_test before update on articles for each row
    when (new.status = 'published') execute function refused_by_the_test()`);
  const article = await buildArticle(stack.api, site.secretKey, { title: 'Later', content: 'Text.' });
  const body = { scheduled_publish_at: new Date(Date.now() + 1_000).toISOString() };
  expect((await send('POST', `/articles/${article.id}/schedule`, body)).status).toBe(200);
  const ofActivity = new RegExp(
    `refused for.*scheduled-publish/${article.id}|scheduled-publish/${article.id}.*refused for`,
  );
  await eventually('the activity fails', () => ofActivity.test(worker.said()));
  await pool.query('drop trigger refused_by_the_test on articles');
  await eventually('it succeeds', async () => {
    const { rows } = await pool.query('select status from articles where id = $1', [article.id]);
    return rows[0].status === 'published';
  });
  return article.id;
}

const linesOf = (output: string): any[] => {
  const lines = output.split('\n').filter((line) => line !== '');
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
  return lines.map((line) => JSON.parse(line));
};

test('the logs of both processes contain no secret, e-mail or IP address, whatever clients send and servers answer', async () => {
  await refusedCalls();
  await signIns();
  await comments();
  await webhooks();
  const articleId = await activities();
  await Promise.all([api.stop(), worker.stop()]);

  const [ofApi, ofWorker] = [linesOf(api.said()), linesOf(worker.said())];
  const everything = api.said() + worker.said();
  const never = {
    ...private_,
    "the Site's key": site.secretKey,
    'the key of storage': environment('S3_SECRET_ACCESS_KEY'),
  };
  const found = Object.entries(never).filter(
    ([, value]) => everything.includes(value) || everything.includes(encodeURIComponent(value)),
  );
  expect(found.map(([what]) => what)).toEqual([]);

  // The error was logged, with redacted values.
  const failures = ofApi.filter(({ msg }) => msg === 'request failed');
  expect(failures.map(({ path }) => path)).toEqual(['/device', '/sign-in', '/v1/comments']);
  expect(failures[2]).toMatchObject({
    request_id: expect.any(String),
    site_id: site.siteId,
    key_id: expect.any(String),
    err: { type: 'DatabaseError', code: '23514', table: 'comments', constraint: 'refused_by_the_test' },
  });
  expect(
    ofApi.filter(({ msg, site_id }) => msg === 'request' && site_id === site.siteId).length,
  ).toBeGreaterThan(5);
  const record = ofWorker.find(({ msg }) => msg === 'delivery results could not be recorded yet');
  expect(record).toMatchObject({
    workflow_id: expect.stringMatching(/^webhook-endpoint\//),
    site_id: site.siteId,
  });
  const workflowId = `scheduled-publish/${articleId}`;
  const activity = ofWorker.find(({ workflow_id, err }) => workflow_id === workflowId && err !== undefined);
  expect(activity).toMatchObject({ err: { message: 'refused for [e-mail] from [address]' } });
});
