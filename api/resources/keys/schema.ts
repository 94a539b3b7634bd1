import { z } from 'zod';
import { isPublishableScope, scopes } from '../../../domain/access/scopes.ts';
import type { Scope } from '../../../domain/access/scopes.ts';
import type { FieldMessages } from '../../../packages/base/mistakes.ts';
import { dateTime, id, isoTime, nullableTime, pageOf, text } from '../../../packages/base/fields.ts';
import { rule } from '../../../packages/base/rule.ts';
import { keyExample, keyWithSecretExample, keyWriteExample } from './examples.ts';

const kind = z.enum(['publishable', 'secret']);
const isScope = (name: string): name is Scope => (scopes as readonly string[]).includes(name);

/** An unknown scope is reported on the whole list, like an empty list (docs/spec/rulings.md, 2). */
export const requestedScopes = z
  .array(z.string().meta({ enum: [...scopes] }))
  .min(1, { error: 'must name at least one scope' })
  .max(100)
  .check(
    rule(z.array(z.unknown()), (names) =>
      names.every((name) => typeof name !== 'string' || isScope(name))
        ? []
        : [{ message: `must contain only ${scopes.join(', ')}` }],
    ),
  )
  .transform((names) => names as Scope[]);

export const KeyWrite = z
  .strictObject({
    name: text(200, 1),
    kind,
    scopes: requestedScopes,
    expires_at: dateTime.nullable().optional(),
    held_by_agent: z.boolean().optional(),
    drafts_only: z
      .boolean()
      .optional()
      .describe('Whether the key may only write what no reader sees. It cannot be changed later.'),
  })
  .meta({ id: 'ApiKeyWrite', examples: [keyWriteExample] });

export const RotateBody = z
  .strictObject({
    grace_seconds: z
      .int()
      .min(0, { error: 'must be from 0 to 604800' })
      .max(604_800, { error: 'must be from 0 to 604800' })
      .default(86_400),
  })
  .meta({ id: 'RotateApiKey', examples: [{ grace_seconds: 3_600 }] });

const key = {
  id,
  name: z.string(),
  kind,
  key_prefix: z.string(),
  scopes: z.array(z.string()),
  held_by_agent: z.boolean(),
  drafts_only: z.boolean(),
  last_used_at: nullableTime,
  expires_at: nullableTime,
  revoked_at: nullableTime,
  created_at: isoTime,
};

export const KeyShape = z.strictObject(key).meta({ id: 'ApiKey', examples: [keyExample] });
export const KeyPage = pageOf(KeyShape).meta({ id: 'ApiKeyPage' });

export const KeyWithSecretShape = z
  .strictObject({ ...key, secret: z.string().nullable(), secret_replayable: z.boolean() })
  .meta({ id: 'ApiKeyWithSecret', examples: [keyWithSecretExample] });

/** Rejects what a publishable key must not have (docs/spec/rulings.md, 2 and 23). */
export function examineKey({
  kind: asked,
  scopes: wanted,
  drafts_only: draftsOnly,
}: Readonly<Record<string, unknown>>): FieldMessages {
  if (asked !== 'publishable') return {};
  const drafts: FieldMessages =
    draftsOnly === true ? { drafts_only: 'must be false for a publishable key' } : {};
  if (!Array.isArray(wanted)) return drafts;
  const refused = wanted.filter((one) => scopes.includes(one as Scope) && !isPublishableScope(one as Scope));
  const names = [...new Set(refused)].join(', ');
  return names === '' ? drafts : { ...drafts, scopes: `must not contain ${names} for a publishable key` };
}
