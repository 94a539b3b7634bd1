import { z } from 'zod';
import { scopes } from '../../domain/access/scopes.ts';
import { operation } from '../operation.ts';
import { ok } from '../reply.ts';
import { isoTime } from '../schema/fields.ts';

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

const SiteShape = z
  .strictObject({
    name: z.string(),
    domain: z.string(),
    locale: z.string(),
    timezone: z.string(),
    created_at: isoTime,
  })
  .meta({
    id: 'Site',
    examples: [
      {
        name: 'The Tea Blog',
        domain: 'blog.example.com',
        locale: 'en-GB',
        timezone: 'Europe/London',
        created_at: '2026-01-05T10:00:00.000Z',
      },
    ],
  });

const ping = operation({
  id: 'ping',
  method: 'GET',
  path: '/ping',
  summary: 'Check a key and show its scopes',
  description:
    'Works with every key, also if its person has left the organisation. It changes nothing and costs no credits.',
  group: 'Meta',
  access: { scope: null, permission: null, rateClass: 'read', publishable: true, withoutMembership: true },
  answers: { 200: Ping },
  errors: [],
  async handle({ caller }) {
    return ok({ pong: true, key_kind: caller.kind, scopes: caller.scopes });
  },
});

const site = operation({
  id: 'getSite',
  method: 'GET',
  path: '/site',
  summary: 'Describe the Site of the key',
  description: 'Scheduling times without an offset are in its `timezone`.',
  group: 'Meta',
  access: { scope: 'meta:read', permission: null, rateClass: 'read', publishable: true },
  answers: { 200: SiteShape },
  errors: [],
  async handle({ site: { name, domain, locale, timezone, createdAt } }) {
    return ok({ name, domain, locale, timezone, created_at: createdAt.toISOString() });
  },
});

export const metaOperations = [ping, site];
