/** All permissions a role can give (docs/spec/service-api.md, Operation index; docs/spec/rulings.md, 2 and 23). */
export const permissions = [
  'articles.read',
  'articles.write',
  'articles.publish',
  'taxonomy.read',
  'taxonomy.manage',
  'authors.manage',
  'media.manage',
  'comments.moderate',
  'prompts.manage',
  'pipeline.read',
  'pipeline.run',
  'api_keys.manage',
  'webhooks.manage',
  'audit.read',
  'approvals.decide',
  'team.manage',
  'billing.manage',
  'settings.manage',
  'organisation.own',
] as const;

export type Permission = (typeof permissions)[number];

export const roles = ['owner', 'admin', 'editor', 'author', 'contributor', 'viewer'] as const;

export type Role = (typeof roles)[number];

const byRole: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(permissions),
  admin: new Set(permissions.filter((permission) => permission !== 'organisation.own')),
  editor: new Set([
    'articles.read',
    'articles.write',
    'articles.publish',
    'taxonomy.read',
    'taxonomy.manage',
    'authors.manage',
    'media.manage',
    'comments.moderate',
    'prompts.manage',
    'pipeline.read',
    'pipeline.run',
  ]),
  author: new Set(['articles.read', 'articles.write', 'articles.publish', 'taxonomy.read', 'media.manage']),
  contributor: new Set(['articles.read', 'articles.write', 'taxonomy.read', 'media.manage']),
  viewer: new Set(['articles.read', 'taxonomy.read', 'pipeline.read']),
};

/** Whether a role includes a permission (docs/spec/rulings.md, 2 and 23). */
export const roleAllows = (role: Role, permission: Permission): boolean => byRole[role].has(permission);
