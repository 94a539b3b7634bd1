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
  .meta({ id: 'Ping' });

const SiteShape = z
  .strictObject({
    name: z.string(),
    domain: z.string(),
    locale: z.string(),
    timezone: z.string(),
    created_at: isoTime,
  })
  .meta({ id: 'Site' });

const ping = operation({
  method: 'GET',
  path: '/ping',
  summary: 'Say whether a key works, and what it may do',
  group: 'Meta',
  access: { scope: null, permission: null, rateClass: 'read', publishable: true, withoutMembership: true },
  answers: { 200: Ping },
  errors: [],
  async handle({ caller }) {
    return ok({ pong: true, key_kind: caller.kind, scopes: caller.scopes });
  },
});

const site = operation({
  method: 'GET',
  path: '/site',
  summary: 'Describe the Site of the key',
  group: 'Meta',
  access: { scope: 'meta:read', permission: null, rateClass: 'read', publishable: true },
  answers: { 200: SiteShape },
  errors: [],
  async handle({ site: { name, domain, locale, timezone, createdAt } }) {
    return ok({ name, domain, locale, timezone, created_at: createdAt.toISOString() });
  },
});

export const metaOperations = [ping, site];
