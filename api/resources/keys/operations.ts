import { getHeldKey, getKeyForRotation, lockCallingKey } from '../../../domain/access/held-keys.ts';
import type { HeldKey } from '../../../domain/access/held-keys.ts';
import { getKeyForUpdate, listKeys, revokeKey } from '../../../domain/access/keys.ts';
import { handOutKey } from '../../../domain/notifications/hand-out-key.ts';
import { presentKey } from '../../../domain/access/present.ts';
import { rotateKey } from '../../../domain/access/rotate-key.ts';
import type { KeyWithSecret } from '../../../domain/access/keys.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { noContent } from '../../framework/reply.ts';
import type { Reply } from '../../framework/reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { examineKey, KeyPage, KeyWithSecretShape, KeyWrite, RotateBody } from './schema.ts';

const reading: Access = { scope: 'keys:read', permission: 'api_keys.manage', rateClass: 'read' };
const writing: Access = { scope: 'keys:write', permission: 'api_keys.manage', rateClass: 'write' };

/** Only the first answer has the secret; a replay has null (docs/spec/service-api.md, Authentication). */
const withSecret = ({ key, secret }: KeyWithSecret): Pick<Reply, 'data' | 'replayData'> => ({
  data: { ...presentKey(key), secret, secret_replayable: true },
  replayData: { ...presentKey(key), secret: null, secret_replayable: false },
});

/** The facts about a key for the person who approves: its owner and its rights. */
const gated = ({ version, id, name, kind, scopes, held_by_agent, drafts_only, email }: HeldKey) => ({
  version,
  shown: { type: 'key', id, name, kind, scopes, held_by_agent, drafts_only, member: email },
});

const list = listOperation({
  id: 'listKeys',
  path: '/keys',
  summary: 'List the keys of the Site',
  description: 'Shows what is known of a key except its secret. Revoked and expired keys are included.',
  access: reading,
  query: PageQuery,
  answer: KeyPage,
  read: ({ db, site, query }) => listKeys(db, site, query),
  present: presentKey,
});

const create = operation({
  id: 'createKey',
  method: 'POST',
  path: '/keys',
  summary: 'Create a key',
  description:
    'Scopes that the creator or the calling key lacks are left out, and the new key expires with the calling key at the latest. With `drafts_only` it may only write what no reader sees; every key that it creates is such a key too. Only this answer contains the secret. A Site can have 1,000 keys that are neither revoked nor expired; beyond that the answer is 409.',
  access: { ...writing, forDrafts: true },
  body: KeyWrite,
  examine: examineKey,
  idempotency: 'required',
  approval: { actions: ['key.create'] },
  secret: true,
  answers: { 201: KeyWithSecretShape },
  headers: ['Location'],
  errors: ['CONFLICT'],
  async handle({ tx, site, caller, actor, body, now }) {
    const parent = await lockCallingKey(tx, site.id, caller.keyId, now);
    const created = await handOutKey(
      { tx, actor, now },
      {
        siteId: site.id,
        memberId: caller.memberId,
        name: body.name,
        kind: body.kind,
        scopes: body.scopes.filter((scope) => caller.scopes.includes(scope)),
        // A key created by an agent's key is held by an agent, and one created by a key for drafts is for drafts.
        heldByAgent: caller.heldByAgent || (body.held_by_agent ?? false),
        draftsOnly: caller.draftsOnly || (body.drafts_only ?? false),
        expiresAt: body.expires_at,
        // In the dashboard it is the person who creates the key: it does not end with their session.
        parent: parent.session_id === null ? parent : { expires_at: null },
      },
    );
    return { status: 201, ...withSecret(created), location: `/keys/${created.key.id}` };
  },
});

const rotate = operation({
  id: 'rotateKey',
  method: 'POST',
  path: '/keys/:id/rotate',
  summary: 'Give a key a new secret',
  description:
    'The old secret stays valid for grace_seconds; with 0 it stops working at once, as do all older ones. At most 20 old secrets of a key are in their grace (409 beyond that, but for grace_seconds 0). The calling key must have every scope that the rotated key can use, and a key held by an agent can only rotate keys held by agents, a key for drafts only keys for drafts. Every key may rotate itself.',
  access: { ...writing, forDrafts: true },
  body: RotateBody.optional(),
  idempotency: 'required',
  approval: {
    actions: ['key.rotate'],
    target: async ({ tx, site, caller, params, now }) =>
      gated(await getKeyForRotation(tx, site.id, caller.keyId, params.id, now)),
  },
  secret: true,
  answers: { 200: KeyWithSecretShape },
  errors: ['CONFLICT', 'FORBIDDEN'],
  async handle({ tx, site, caller, actor, params, body, now }) {
    const current = await getKeyForRotation(tx, site.id, caller.keyId, params.id, now);
    const { grace_seconds: grace } = body ?? RotateBody.parse({});
    return { status: 200, ...withSecret(await rotateKey({ tx, site, actor, now }, current, grace)) };
  },
});

const revoke = operation({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/keys/:id',
  summary: 'Revoke a key permanently',
  description:
    'The key stops working at once; its record stays. A key may revoke itself. Revoking it again changes nothing.',
  access: writing,
  approval: {
    actions: ['key.revoke'],
    target: async ({ tx, site, params }) => gated(await getHeldKey(tx, site.id, params.id)),
  },
  answers: { 204: null },
  async handle({ tx, site, actor, params, now }) {
    await revokeKey({ tx, site, actor, now }, await getKeyForUpdate(tx, site.id, params.id));
    return noContent();
  },
});

export const keyOperations = [list, create, rotate, revoke];
