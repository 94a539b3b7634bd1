import { permissions, roleAllows, roles } from '../../../domain/access/permissions.ts';

/** Who may do what, written out (docs/spec/rulings.md, 2). */
const table: [permission: (typeof permissions)[number], allowed: string][] = [
  ['articles.read', 'owner admin editor author contributor viewer'],
  ['articles.write', 'owner admin editor author contributor'],
  ['articles.publish', 'owner admin editor author'],
  ['taxonomy.read', 'owner admin editor author contributor viewer'],
  ['taxonomy.manage', 'owner admin editor'],
  ['authors.manage', 'owner admin editor'],
  ['media.manage', 'owner admin editor author contributor'],
  ['comments.moderate', 'owner admin editor'],
  ['prompts.manage', 'owner admin editor'],
  ['pipeline.read', 'owner admin editor viewer'],
  ['pipeline.run', 'owner admin editor'],
  ['api_keys.manage', 'owner admin'],
  ['webhooks.manage', 'owner admin'],
  ['audit.read', 'owner admin'],
  ['approvals.decide', 'owner admin'],
  ['team.manage', 'owner admin'],
  ['billing.manage', 'owner admin'],
  ['settings.manage', 'owner admin'],
  ['organisation.own', 'owner'],
];

test('there are six roles', () => {
  expect(roles).toEqual(['owner', 'admin', 'editor', 'author', 'contributor', 'viewer']);
});

test('the table has every permission', () => {
  expect(table.map(([permission]) => permission).sort()).toEqual([...permissions].sort());
});

test.each(table)('%s: %s', (permission, allowed) => {
  expect(roles.filter((role) => roleAllows(role, permission)).join(' ')).toBe(allowed);
});
