import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { passedBefore } from '../../../tools/dev/passed-before.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const code = ['a.ts', 'b.json'];
let folder: string;
const look = (files: readonly string[] = [...code, 'c.md']) =>
  passedBefore(folder, files, join(folder, 'kept'));
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  for (const path of [...code, 'c.md', 'd.ts']) write(path, 'first');
  look().add('lint');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a check that passed is known until code changes, and again once it is as before', () => {
  expect(look().has('lint')).toBe(true);
  expect(look().has('types')).toBe(false);
  write('b.json', 'second');
  expect(look().has('lint')).toBe(false);
  write('b.json', 'first');
  expect(look().has('lint')).toBe(true);
});

test('a file that is new, gone or has another name is a change of code', () => {
  expect(look([...code, 'd.ts']).has('lint')).toBe(false);
  expect(look(['a.ts']).has('lint')).toBe(false);
  expect(look(['d.ts', 'b.json']).has('lint')).toBe(false);
});

test('a document is no code', () => {
  write('c.md', 'second');
  expect(look().has('lint')).toBe(true);
});
