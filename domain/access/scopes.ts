import { roleAllows } from './permissions.ts';
import type { Permission, Role } from './permissions.ts';

/**
 * Each scope (docs/spec/service-api.md, Scope values) and the permission that it requires (docs/spec/rulings.md, 2).
 */
export const scopePermissions = {
  'articles:read': 'articles.read',
  'articles:write': 'articles.write',
  'taxonomy:read': 'taxonomy.read',
  'taxonomy:write': 'taxonomy.manage',
  'authors:read': null,
  'authors:write': 'authors.manage',
  'media:read': 'media.manage',
  'media:write': 'media.manage',
  'pipeline:read': 'pipeline.read',
  'pipeline:run': 'pipeline.run',
  'keys:read': 'api_keys.manage',
  'keys:write': 'api_keys.manage',
  'webhooks:read': 'webhooks.manage',
  'webhooks:write': 'webhooks.manage',
  'meta:read': null,
  'comments:read': 'comments.moderate',
  'comments:write': 'comments.moderate',
  'engagement:write': 'articles.write',
  'prompts:write': 'prompts.manage',
} as const satisfies Record<string, Permission | null>;

export type Scope = keyof typeof scopePermissions;

export const scopes = Object.keys(scopePermissions) as Scope[];

const closedToPublishableKeys: ReadonlySet<Scope> = new Set(['media:read', 'pipeline:read', 'webhooks:read']);

/** Whether a publishable key may carry the scope (docs/spec/service-api.md, Scope values). */
export const isPublishableScope = (scope: Scope): boolean =>
  scope.endsWith(':read') && !closedToPublishableKeys.has(scope);

/** Whether a person with this role can give the scope to a key. */
export const roleCoversScope = (role: Role, scope: Scope): boolean => {
  const permission = scopePermissions[scope];
  return permission === null || roleAllows(role, permission);
};
