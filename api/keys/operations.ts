import { createKey, getKeyForChange, listKeys, presentKey, revokeKey } from '../../domain/access/keys.ts';
import { rotateKey } from '../../domain/access/rotate-key.ts';
import type { KeyWithSecret } from '../../domain/access/keys.ts';
import { validationFailed } from '../../domain/errors.ts';
import { operation } from '../operation.ts';
import type { Access } from '../operation.ts';
import { noContent, page } from '../reply.ts';
import type { Reply } from '../reply.ts';
import { examineScopes, KeyPage, KeyQuery, KeyWithSecretShape, KeyWrite, RotateBody } from './schema.ts';

const reading: Access = {
  scope: 'keys:read',
  permission: 'api_keys.manage',
  rateClass: 'read',
  publishable: false,
};
const writing: Access = {
  scope: 'keys:write',
  permission: 'api_keys.manage',
  rateClass: 'write',
  publishable: false,
};
const group = 'API keys';

/** The secret is shown in the first answer alone; a replay has null (specification, Authentication). */
const withSecret = ({ key, secret }: KeyWithSecret): Pick<Reply, 'data' | 'replayData'> => ({
  data: { ...presentKey(key), secret, secret_replayable: true },
  replayData: { ...presentKey(key), secret: null, secret_replayable: false },
});

const list = operation({
  method: 'GET',
  path: '/keys',
  summary: 'List the keys of the Site',
  group,
  access: reading,
  query: KeyQuery,
  answers: { 200: KeyPage },
  errors: [],
  async handle({ db, site, query }) {
    return page(await listKeys(db, site, query), presentKey);
  },
});

const create = operation({
  method: 'POST',
  path: '/keys',
  summary: 'Create a key',
  description:
    'Scopes that the creator or the calling key does not have are left out. The answer carries the secret, once and nowhere else.',
  group,
  access: writing,
  body: KeyWrite,
  examine: examineScopes,
  idempotency: 'required',
  approval: { action: 'key.create' },
  answers: { 201: KeyWithSecretShape },
  errors: [],
  async handle({ tx, site, caller, actor, body, now }) {
    const expiresAt = body.expires_at ?? null;
    if (expiresAt !== null && expiresAt <= now)
      throw validationFailed({ expires_at: 'must be in the future' });
    const created = await createKey(
      tx,
      actor,
      {
        siteId: site.id,
        memberId: caller.memberId,
        name: body.name,
        kind: body.kind,
        scopes: body.scopes.filter((scope) => caller.scopes.includes(scope)),
        // What an agent's key makes, an agent holds.
        heldByAgent: caller.heldByAgent || (body.held_by_agent ?? false),
        expiresAt,
      },
      now,
    );
    return { status: 201, ...withSecret(created), location: `/keys/${created.key.id}` };
  },
});

const rotate = operation({
  method: 'POST',
  path: '/keys/:id/rotate',
  summary: 'Give a key a new secret',
  description: 'The old secret stays good for grace_seconds; 0 cuts it at once.',
  group,
  access: writing,
  body: RotateBody.optional(),
  idempotency: 'required',
  approval: {
    action: 'key.rotate',
    target: ({ tx, site, params }) => getKeyForChange(tx, site.id, params['id'] as string),
  },
  answers: { 200: KeyWithSecretShape },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, body, now }) {
    const current = await getKeyForChange(tx, site.id, params['id'] as string);
    const { grace_seconds: grace } = body ?? RotateBody.parse({});
    return { status: 200, ...withSecret(await rotateKey({ tx, site, actor, now }, current, grace)) };
  },
});

const revoke = operation({
  method: 'DELETE',
  path: '/keys/:id',
  summary: 'Revoke a key for good',
  group,
  access: writing,
  approval: {
    action: 'key.revoke',
    target: ({ tx, site, params }) => getKeyForChange(tx, site.id, params['id'] as string),
  },
  answers: { 204: null },
  errors: [],
  async handle({ tx, site, actor, params, now }) {
    await revokeKey({ tx, site, actor, now }, await getKeyForChange(tx, site.id, params['id'] as string));
    return noContent();
  },
});

export const keyOperations = [list, create, rotate, revoke];
