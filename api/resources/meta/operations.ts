import { z } from 'zod';
import { scopes } from '../../../domain/access/scopes.ts';
import { operation } from '../../framework/operation.ts';
import { ok } from '../../framework/reply.ts';

const Ping = z
  .strictObject({
    pong: z.literal(true),
    key_kind: z.enum(['publishable', 'secret']),
    scopes: z.array(z.enum(scopes as [string, ...string[]])),
  })
  .meta({
    id: 'Ping',
    examples: [{ pong: true, key_kind: 'secret', scopes: ['articles:read', 'articles:write'] }],
  });

const ping = operation({
  id: 'ping',
  method: 'GET',
  path: '/ping',
  summary: 'Check a key and show its scopes',
  description:
    'Works with every key, also if its person has left the organisation. It changes nothing and costs no credits.',
  access: { scope: null, permission: null, rateClass: 'read', publishable: true, withoutMembership: true },
  answers: { 200: Ping },
  async handle({ caller }) {
    return ok({ pong: true, key_kind: caller.kind, scopes: caller.scopes });
  },
});

export const metaOperations = [ping];
