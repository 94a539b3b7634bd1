import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { brokenRules } from '../support/migration-rules.ts';

const migrations = join(root, 'db/migrations');
const files = readdirSync(migrations).toSorted();

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'presswork-rules-'))));
afterAll(() => rmSync(folder, { recursive: true }));

let sequence = 0;
/** The rules that this migration violates. */
function rulesBrokenBy(text: string, outside = false): string[] {
  const path = join(folder, `${(sequence += 1)}.sql`);
  writeFileSync(path, `-- Up Migration${outside ? ', without a transaction' : ''}\n\n${text}\n`);
  return brokenRules([path]).map((line) => line.replace(/^.*: /, ''));
}

test('every migration is safe on a large table in use', () => {
  expect(files.length).toBeGreaterThan(0);
  expect(brokenRules(files.map((file) => join(migrations, file)))).toEqual([]);
});

test('every migration is SQL, has a time stamp in its name, and declares how it runs', () => {
  for (const file of files) expect(file).toMatch(/^\d{14}_[a-z0-9-]+\.sql$/);
});

test.each([
  [
    'an index made while writes wait',
    'create index mine on articles (title);',
    'require-concurrent-index-creation',
  ],
  [
    'an index dropped while reads wait',
    'drop index articles_status_idx;',
    'require-concurrent-index-deletion',
  ],
  [
    'a column that old code does not fill',
    'alter table articles add column mine integer not null;',
    'adding-required-field',
  ],
  [
    'a default that is computed for each row',
    'alter table articles add column mine uuid default gen_random_uuid();',
    'adding-field-with-default',
  ],
  [
    'a column made required by reading the table',
    'alter table articles alter column title set not null;',
    'adding-not-nullable-field',
  ],
  ['a table rewrite', 'alter table articles alter column title type varchar(300);', 'changing-column-type'],
  [
    'a check that reads the table',
    'alter table articles add constraint mine check (title <> excerpt);',
    'constraint-missing-not-valid',
  ],
  [
    'a reference that reads two tables',
    'alter table articles add constraint mine foreign key (id) references tags (id);',
    'adding-foreign-key-constraint',
  ],
  [
    'a unique constraint that builds its index',
    'alter table articles add constraint mine unique (title);',
    'disallowed-unique-constraint',
  ],
  ['a column that old code reads', 'alter table articles drop column title;', 'ban-drop-column'],
  ['a table that old code reads', 'drop table articles;', 'ban-drop-table'],
  ['another name for a column', 'alter table articles rename column title to heading;', 'renaming-column'],
  ['another name for a table', 'alter table articles rename to posts;', 'renaming-table'],
  ['a change of every row', `update articles set title = upper(title);`, 'no-change-of-all-rows'],
  [
    'a table read under locks',
    'alter table articles validate constraint mine;',
    'validate-outside-a-transaction',
  ],
])('is refused: %s', (_what, text, rule) => {
  expect(rulesBrokenBy(text)).toContain(rule);
});

test.each([
  [
    'a concurrent index that leaves a broken one',
    'create index concurrently mine on articles (title);',
    'drop-before-concurrent-index',
  ],
  ['what a second run would not bear', 'alter table articles add column mine integer;', 'bears-a-second-run'],
  ['what cannot be told into statements', 'do $$ begin end $$;', 'no-dollar-quotes-outside'],
])('is refused outside a transaction: %s', (_what, text, rule) => {
  expect(rulesBrokenBy(text, true)).toContain(rule);
});

test('a concurrent index is refused inside a transaction', () => {
  expect(rulesBrokenBy('create index concurrently mine on articles (title);')).not.toEqual([]);
});

test.each([
  [
    'a table with its indexes',
    'create table mine (id uuid primary key, at timestamptz(3) not null);\ncreate index mine_at_idx on mine (at);',
    false,
  ],
  ['a column that may be empty', 'alter table articles add column mine integer;', false],
  ['a column with a constant', 'alter table articles add column mine integer not null default 0;', false],
  [
    'a check that is validated later',
    'alter table articles add constraint mine check (title <> excerpt) not valid;',
    false,
  ],
  ['its validation', 'alter table articles validate constraint mine;', true],
  [
    'an index built concurrently, at any attempt',
    'drop index concurrently if exists mine;\ncreate index concurrently mine\n  on articles (title);',
    true,
  ],
])('is fine: %s', (_what, text, outside) => {
  expect(rulesBrokenBy(text, outside)).toEqual([]);
});
