import type { Caller } from '../../../domain/access/authenticate.ts';
import { recordChange } from '../../../domain/audit/change.ts';
import { sendsSecretElsewhere } from '../../../domain/cms/config.ts';
import type { ConnectionConfig } from '../../../domain/cms/config.ts';
import { getConnection, getConnectionForUpdate, listConnections } from '../../../domain/cms/connection.ts';
import type { Connection } from '../../../domain/cms/connection.ts';
import { createConnection, deleteConnection, updateConnection } from '../../../domain/cms/manage.ts';
import { presentConnection } from '../../../domain/cms/present.ts';
import { validationFailed } from '../../../domain/kernel/errors.ts';
import type { FieldMessages } from '../../../packages/base/mistakes.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import type { Access, WriteContext } from '../../framework/operation.ts';
import { versionOfBody } from '../../http/preconditions.ts';
import { created, noContent, ok } from '../../framework/reply.ts';
import type { Reply } from '../../framework/reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import {
  examineConnection,
  lookUpAddress,
  mistakesInConnection,
  requirePublicAddress,
} from './config-rules.ts';
import { ConnectionPage, ConnectionShape, ConnectionUpdate, ConnectionWrite, Tested } from './schema.ts';
import { testConnection } from './test-connection.ts';

const reading: Access = { scope: 'meta:read', permission: null, rateClass: 'read' };
const writing: Access = { scope: 'keys:write', permission: 'settings.manage', rateClass: 'write' };

type ConnectionContext = Pick<
  WriteContext<unknown, unknown, '/delivery/connections/:id'>,
  'tx' | 'site' | 'params'
>;

const target = ({ tx, site, params }: ConnectionContext): Promise<Connection> =>
  getConnectionForUpdate(tx, site.id, params.id);

const list = listOperation({
  id: 'listConnections',
  path: '/delivery/connections',
  summary: 'List connections',
  description:
    'A Site has at most ten connections. Their secrets are not shown, and path and query of their addresses only with the permission settings.manage.',
  access: reading,
  query: PageQuery,
  answer: ConnectionPage,
  read: ({ db, site, query }) => listConnections(db, site, query),
  present: (connection, { caller }) => presentConnection(connection, caller),
});

const create = operation({
  id: 'createConnection',
  method: 'POST',
  path: '/delivery/connections',
  summary: 'Connect another system that articles are pushed to',
  description:
    'A git repository gets a file `<slug>.md` for each article: Markdown with YAML front matter. Ghost and WordPress get posts. `http` gets a POST in the shape of a webhook delivery, signed like one. Each kind takes its own members of `config` and no other: git `remote_url`, `branch` and `path`; ghost `admin_url`; wordpress `site_url` and `user`; http `url`. The secret is stored encrypted and never shown. Nothing is called: test the connection afterwards.',
  access: writing,
  body: ConnectionWrite,
  examine: examineConnection,
  idempotency: 'honoured',
  approval: { actions: ['connection.create'], hidden: ['secret'] },
  answers: { 201: ConnectionShape },
  headers: ['ETag', 'Location'],
  errors: ['CONFLICT'],
  // Before the transaction, so that a slow DNS look-up holds no connection and no lock.
  prepare: ({ site, body, ports }) => lookUpAddress(body.config, { site, ports }),
  async handle({ tx, site, actor, caller, body, ports, prepared, now }) {
    requirePublicAddress(prepared);
    const { kind, name, config, secret = null, auto = false, enabled = true } = body;
    const values = { kind, name, config: defined(config), secret, auto, enabled };
    const connection = await createConnection({ tx, site, actor, now }, ports.box, values);
    return created(presentConnection(connection, caller), {
      version: connection.version,
      location: `/delivery/connections/${connection.id}`,
    });
  },
});

/** Its ETag also names the error, which changes without the connection's version. */
function shown(connection: Connection, caller: Caller): Reply {
  const { version, last_error: error } = connection;
  return ok(presentConnection(connection, caller), {
    version: error === null ? version : `${version}-${versionOfBody(error)}`,
  });
}

const read = operation({
  id: 'getConnection',
  method: 'GET',
  path: '/delivery/connections/:id',
  summary: 'Read a connection',
  description:
    '`last_error` says why the last attempt failed, and what to do about it. Path and query of the address are shown with the permission settings.manage only.',
  access: reading,
  answers: { 200: ConnectionShape },
  async handle({ db, site, caller, params }) {
    const connection = await getConnection(db, site.id, params.id);
    return shown(connection, caller);
  },
});

const update = operation({
  id: 'updateConnection',
  method: 'PATCH',
  path: '/delivery/connections/:id',
  summary: 'Update, disable or enable a connection',
  description:
    'The kind stays. `config` changes the members that it has. A secret that would be sent to another host, or another site on it, has to be sent again (422). If the address changes, what is known about the posts at the old one is forgotten: the next push of an article is its first there. Disabling ends pushes that wait.',
  access: writing,
  body: ConnectionUpdate,
  approval: { actions: ['connection.update'], target, hidden: ['secret'] },
  conditional: true,
  answers: { 200: ConnectionShape },
  prepare: ({ site, body, ports }) => lookUpAddress(body.config, { site, ports }),
  async handle({ tx, site, actor, caller, params, body, ports, ifMatch, prepared, now }) {
    const current = await getConnectionForUpdate(tx, site.id, params.id);
    ifMatch(current.version, { goesOn: true });
    const config = defined(body.config ?? {});
    const candidate = { kind: current.kind, config: { ...current.config, ...config }, secret: body.secret };
    const mistakes = {
      ...mistakesInConnection(candidate, ports.webhookUrls.allowedHosts),
      ...mistakeAboutSecret(current, candidate),
    };
    if (Object.keys(mistakes).length > 0) throw validationFailed(mistakes);
    requirePublicAddress(prepared);
    const sent = { ...body, config };
    const connection = await updateConnection({ tx, site, actor, now }, ports.box, current, sent);
    return shown(connection, caller);
  },
});

const remove = operation({
  id: 'deleteConnection',
  method: 'DELETE',
  path: '/delivery/connections/:id',
  summary: 'Delete a connection with its pushes',
  description: 'What waits is not pushed. Posts at the remote stay as they are.',
  access: writing,
  approval: { actions: ['connection.delete'], target },
  conditional: true,
  answers: { 204: null },
  async handle({ tx, site, actor, params, ifMatch, now }) {
    const current = await getConnectionForUpdate(tx, site.id, params.id);
    ifMatch(current.version, { goesOn: true });
    await deleteConnection({ tx, site, actor, now }, current);
    return noContent();
  },
});

const test = operation({
  id: 'testConnection',
  method: 'POST',
  path: '/delivery/connections/:id/test',
  summary: 'Test a connection',
  description:
    'Calls the remote with the stored secret and changes nothing there. `ok` says whether a push could be made, and `message` what to do if not. For `http` it sends one `ping` event.',
  access: writing,
  answers: { 200: Tested },
  prepare: ({ site, params, ports }) => testConnection(ports, site, params.id),
  async handle({ tx, site, actor, params, prepared, now }) {
    const { id } = await getConnection(tx, site.id, params.id);
    const target = { type: 'connection', id };
    recordChange({ tx, site, actor, now }, 'connection.test', target, { ok: prepared.ok });
    return ok(prepared);
  },
});

/** The stored secret is for the host that it was given for. */
const mistakeAboutSecret = (current: Connection, { config, secret }: Candidate): FieldMessages =>
  current.secret_set && secret === undefined && sendsSecretElsewhere(current.kind, current.config, config)
    ? {
        secret:
          'must be sent too, because the address is on another host, or of another site on it. Send null to remove it',
      }
    : {};

interface Candidate {
  readonly config: ConnectionConfig;
  readonly secret: string | null | undefined;
}

/** A config without the members that were not sent. */
const defined = (config: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(config).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

export const connectionOperations = [list, create, read, update, remove, test];
