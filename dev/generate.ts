import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../api/openapi.ts';
import { operations } from '../api/operations.ts';
import { root } from './home.ts';
import { licencesDocument } from './licences.ts';
import type { LockedPackage } from './licences.ts';

/** The operation index, as a table of the documentation. */
function operationsIndex(): string {
  const rows = operations.map(({ method, path, summary, access, idempotency, approval }) =>
    [
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

| Method | Path | What it does | Scope | Permission | Rate class | Publishable key | Idempotency-Key | Approval |
|---|---|---|---|---|---|---|---|---|
${rows.map((row) => `| ${row} |`).join('\n')}
`;
}

/** Of every package that package-lock.json has for the product itself. */
function licences(): string {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  return licencesDocument((JSON.parse(lock) as { packages: Record<string, LockedPackage> }).packages);
}

const files: Readonly<Record<string, () => string>> = {
  'docs/operations-index.md': operationsIndex,
  'docs/licences.md': licences,
  'docs/openapi.json': () => `${JSON.stringify(openApiDocument(operations, '/v1'), null, 2)}\n`,
};

/** Writes what is generated; with --check it only compares, and fails on a difference. */
const checking = process.argv.includes('--check');
let different = 0;
for (const [name, make] of Object.entries(files)) {
  const path = join(root, name);
  const wanted = make();
  if (existsSync(path) && readFileSync(path, 'utf8') === wanted) continue;
  if (checking) {
    different += 1;
    console.error(`${name} is not what its sources give: run npm run generate`);
  } else {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, wanted);
    console.log(`wrote ${name}`);
  }
}
process.exit(different === 0 ? 0 : 1);
