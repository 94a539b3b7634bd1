import { z } from 'zod';
import { connectionKinds } from '../../../domain/cms/config.ts';
import { itemStatuses } from '../../../domain/cms/push.ts';
import { id, isoTime, nullableTime, pageOf, text, uuid } from '../../../packages/base/fields.ts';
import { rule } from '../../../packages/base/rule.ts';
import {
  connectionExample,
  connectionUpdateExample,
  connectionWriteExample,
  finishedPushExample,
  pushWriteExample,
  testedExample,
} from './examples.ts';

/** The members of all kinds; which a kind takes is checked beside the schema. */
const config = z
  .strictObject({
    remote_url: text(2_000).describe('git: the repository, over https or ssh.'),
    branch: text(200).describe('git: the branch that commits go to; `main` by default.'),
    path: text(500).describe('git: the folder of the files, relative; the root by default.'),
    admin_url: text(2_000).describe('ghost: the address of Ghost, with or without `/ghost`.'),
    site_url: text(2_000).describe('wordpress: the address of WordPress, with its folder if it has one.'),
    user: text(200).describe('wordpress: the name of the user that the application password belongs to.'),
    url: text(2_000).describe('http: a publicly reachable https URL.'),
  })
  .partial();

const writable = {
  name: text(200, 1),
  config: config.meta({ id: 'ConnectionConfigWrite' }),
  secret: z
    .string()
    .max(20_000, 'must have at most 20000 characters')
    .nullable()
    .optional()
    .describe(
      'Write-only; null removes it. git over https: a password, or `user:password`; over ssh: an OpenSSH private key without a passphrase. ghost: an Admin API key. wordpress: an application password. http: a signing secret that begins with `whsec_`.',
    ),
  auto: z
    .boolean()
    .optional()
    .describe('Whether articles are pushed when they are published, updated or unpublished.'),
  enabled: z.boolean().optional().describe('Whether anything is pushed.'),
};

export const ConnectionWrite = z
  .strictObject({ kind: z.enum(connectionKinds), ...writable })
  .meta({ id: 'ConnectionWrite', examples: [connectionWriteExample] });

export const ConnectionUpdate = z
  .strictObject(writable)
  .partial()
  .meta({ id: 'ConnectionUpdate', examples: [connectionUpdateExample] });

export const ConnectionShape = z
  .strictObject({
    id,
    kind: z.enum(connectionKinds),
    name: z.string(),
    config: config.meta({ id: 'ConnectionConfig' }),
    secret_set: z.boolean(),
    auto: z.boolean(),
    enabled: z.boolean(),
    last_error: z.string().nullable().describe('Why the last attempt failed; null after a success.'),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: 'Connection', examples: [connectionExample] });
export const ConnectionPage = pageOf(ConnectionShape).meta({ id: 'ConnectionPage' });

export const Tested = z
  .strictObject({ ok: z.boolean(), message: z.string() })
  .meta({ id: 'ConnectionTest', examples: [testedExample] });

const distinct = rule(z.looseObject({ article_ids: z.array(z.string()) }), ({ article_ids: ids }) => {
  const seen = new Set<string>();
  return ids.flatMap((value, index) => {
    const articleId = value.toLowerCase();
    if (seen.has(articleId))
      return [{ path: ['article_ids', index], message: 'is named twice: name each article once' }];
    seen.add(articleId);
    return [];
  });
});

export const PushWrite = z
  .strictObject({
    connection_id: uuid.optional().describe('The only enabled connection by default.'),
    article_ids: z
      .array(uuid)
      .min(1, 'must name an article at least')
      .max(100, 'must have at most 100 members')
      .describe('The articles, each once. One that is not published is removed at the remote.'),
    force: z
      .boolean()
      .optional()
      .describe('Whether to overwrite what was changed at the remote since the last push.'),
  })
  .check(distinct)
  .meta({ id: 'PushWrite', examples: [pushWriteExample] });

const Item = z
  .strictObject({
    article_id: id,
    status: z.enum(itemStatuses),
    remote_url: z.string().nullable().describe('Where the post is.'),
    error: z
      .string()
      .nullable()
      .describe('Why it failed, or the last attempt if another follows, and what to do about it.'),
    attempts: z.int(),
  })
  .meta({ id: 'PushItem' });

export const PushShape = z
  .strictObject({
    id,
    connection_id: id,
    items: z.array(Item).describe('In the order in which they were sent.'),
    created_at: isoTime,
    finished_at: nullableTime,
  })
  .meta({ id: 'Push', examples: [finishedPushExample] });
export const PushPage = pageOf(PushShape).meta({ id: 'PushPage' });
