/**
 * The operations for which a key held by an agent needs a person's approval (docs/spec/rulings.md, 11). Operations that
 * are audited have the same name as in the audit log.
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
  'seo_scan.start',
  'cms.push',
  'autopilot.update',
  'member.add',
  'member.role',
  'member.remove',
] as const;

export type GatedOperation = (typeof gatedOperations)[number];
