import { isPublishableScope, roleCoversScope, scopes } from '../../../domain/access/scopes.ts';
import type { Scope } from '../../../domain/access/scopes.ts';
import { roles } from '../../../domain/access/permissions.ts';

/**
 * Whether a publishable key may carry each scope (docs/spec/service-api.md, Scope values), and whose keys may
 * (docs/spec/rulings.md, 2).
 */
const table: [scope: Scope, publishable: boolean, covered: string][] = [
  ['articles:read', true, 'owner admin editor author contributor viewer'],
  ['articles:write', false, 'owner admin editor author contributor'],
  ['taxonomy:read', true, 'owner admin editor author contributor viewer'],
  ['taxonomy:write', false, 'owner admin editor'],
  ['authors:read', true, 'owner admin editor author contributor viewer'],
  ['authors:write', false, 'owner admin editor'],
  ['media:read', false, 'owner admin editor author contributor'],
  ['media:write', false, 'owner admin editor author contributor'],
  ['pipeline:read', false, 'owner admin editor viewer'],
  ['pipeline:run', false, 'owner admin editor'],
  ['keys:read', true, 'owner admin'],
  ['keys:write', false, 'owner admin'],
  ['webhooks:read', false, 'owner admin'],
  ['webhooks:write', false, 'owner admin'],
  ['meta:read', true, 'owner admin editor author contributor viewer'],
  ['comments:read', true, 'owner admin editor'],
  ['comments:write', false, 'owner admin editor'],
  ['engagement:write', false, 'owner admin editor author contributor'],
  ['prompts:write', false, 'owner admin editor'],
];

test('the table has every scope', () => {
  expect(table.map(([scope]) => scope).sort()).toEqual([...scopes].sort());
});

test.each(table)('%s: publishable %s, covered by %s', (scope, publishable, covered) => {
  expect(isPublishableScope(scope)).toBe(publishable);
  expect(roles.filter((role) => roleCoversScope(role, scope)).join(' ')).toBe(covered);
});
