import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../api/openapi/document.ts';
import { operations } from '../../api/operations.ts';
import { root } from '../../runtime/home.ts';
import { licencesDocument } from './licences.ts';
import type { LockedPackage } from './licences.ts';
import { roomsOutOfImage, roomsTable } from './rooms.ts';
import { sdkFiles } from './sdk/files.ts';
import type { Document } from './sdk/read-operations.ts';

/** The operation index, as a table of the documentation. */
function operationsIndex(): string {
  const rows = operations.map(({ id, method, path, summary, access, idempotency, approval }) =>
    [
      `\`${id}\``,
      method,
      `\`${path.replace(/:(\w+)/g, '{$1}')}\``,
      summary,
      access.scope ?? 'none',
      access.permission ?? 'none',
      access.rateClass,
      access.publishable ? 'yes' : 'no',
      idempotency ?? '',
      approval ? 'yes' : '',
    ].join(' | '),
  );
  return `# Operation index

Read off the declarations in \`api/\` by \`npm run generate\`; do not edit.

| Id | Method | Path | What it does | Scope | Permission | Rate class | Publishable key | Idempotency-Key | Approval |
|---|---|---|---|---|---|---|---|---|---|
${rows.map((row) => `| ${row} |`).join('\n')}
`;
}

/** The licences of every production package in package-lock.json. */
function licences(): string {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  return licencesDocument((JSON.parse(lock) as { packages: Record<string, LockedPackage> }).packages);
}

/** A file with a generated part between two lines. */
function withPart(path: string, first: string, last: string, part: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  const begin = text.indexOf(first) + first.length;
  const end = text.indexOf(last);
  if (begin < first.length || end < begin) throw new Error(`${path} lacks the line ${first} or ${last}`);
  return `${text.slice(0, begin)}\n${part}${text.slice(end)}`;
}

const BEGIN = 'Rooms, from rooms.json by npm run generate.';
const END = 'End of rooms.';

const document = openApiDocument(operations, '/v1');

const files: Readonly<Record<string, () => string>> = {
  'docs/operations-index.md': operationsIndex,
  'docs/licences.md': licences,
  'docs/ARCHITECTURE.md': () =>
    withPart(
      'docs/ARCHITECTURE.md',
      `<!-- ${BEGIN} -->`,
      `<!-- ${END} -->`,
      `\n<!-- prettier-ignore-start -->\n${roomsTable()}<!-- prettier-ignore-end -->\n\n`,
    ),
  '.dockerignore': () => withPart('.dockerignore', `# ${BEGIN}`, `# ${END}`, roomsOutOfImage()),
  'docs/openapi.json': () => `${JSON.stringify(document, null, 2)}\n`,
  ...Object.fromEntries(
    Object.entries(sdkFiles(document as unknown as Document)).map(([name, text]) => [
      `sdk/src/generated/${name}`,
      () => text,
    ]),
  ),
};

/** Writes the generated files; with --check only compares them, and fails on a difference. */
const checking = process.argv.includes('--check');
let different = 0;
for (const [name, make] of Object.entries(files)) {
  const path = join(root, name);
  const wanted = make();
  if (existsSync(path) && readFileSync(path, 'utf8') === wanted) continue;
  if (checking) {
    different += 1;
    console.error(`${name} is out of date: run npm run generate`);
  } else {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, wanted);
    console.log(`wrote ${name}`);
  }
}
process.exit(different === 0 ? 0 : 1);
