/**
 * The operations that a key held by an agent calls with a person's approval (decisions 11), under the names that the
 * audit log has for those that are in it.
 */
export const gatedOperations = [
  'article.delete',
  'media.delete',
  'comment.delete',
  'comments.erase',
  'key.create',
  'key.rotate',
  'key.revoke',
  'webhook.create',
  'webhook.update',
  'webhook.rotate_secret',
  'pipeline.run',
] as const;

export type GatedOperation = (typeof gatedOperations)[number];
