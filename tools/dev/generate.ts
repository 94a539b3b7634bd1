import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../api/openapi.ts';
import { operations } from '../../api/operations.ts';
import { delivered, eventData } from '../../domain/events/catalogue.ts';
import { root } from '../../runtime/home.ts';
import { benchmarksDocument } from './benchmarks-document.ts';
import { licencesDocument } from './licences.ts';
import type { LockedPackage } from './licences.ts';
import { roomsOutOfImage, roomsTable } from './rooms.ts';
import { alertsDocument, metricsDocument } from './runbook-documents.ts';
import { settingsDocument } from './settings-document.ts';
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

function licences(): string {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  return licencesDocument((JSON.parse(lock) as { packages: Record<string, LockedPackage> }).packages);
}

/** The records of docs/decisions, a line each. One without a status is in force. */
function decisions(): string {
  const folder = join(root, 'docs/decisions');
  const names = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name));
  const rows = names.toSorted().map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const [, title = name] = /^# (?:\d{4}:? )?(.+)$/m.exec(text) ?? [];
    const [, status = 'in force'] = /^\*\*Status\.\*\* (.+)$/m.exec(text) ?? [];
    return `| [${name.slice(0, 4)}](${name}) | ${title} | ${status} |\n`;
  });
  return `| Record | Choice | Status |\n| --- | --- | --- |\n${rows.join('')}`;
}

/** The events, as a table of the guide. */
function eventsTable(): string {
  const rows = Object.entries(delivered).map(
    ([event, { data, summary }]) => `| \`${event}\` | ${summary} | ${eventData[data]} |\n`,
  );
  return `| Event | When | \`data\` |\n| --- | --- | --- |\n${rows.join('')}`;
}

/** A file with a generated part between two lines. */
function withPart(path: string, first: string, last: string, part: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  const begin = text.indexOf(first) + first.length;
  const end = text.indexOf(last);
  if (begin < first.length || end < begin) throw new Error(`${path} lacks the line ${first} or ${last}`);
  return `${text.slice(0, begin)}\n${part}${text.slice(end)}`;
}

/** A table that the formatter leaves alone. */
const unformatted = (table: string): string =>
  `\n<!-- prettier-ignore-start -->\n${table}<!-- prettier-ignore-end -->\n\n`;

const BEGIN = 'Rooms, from rooms.json by npm run generate.';
const END = 'End of rooms.';

const document = openApiDocument(operations, '/v1');

const files: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/operations-index.md': operationsIndex,
  'docs/licences.md': licences,
  'docs/settings.md': settingsDocument,
  'docs/benchmarks.md': benchmarksDocument,
  'docs/runbook/alerts.md': alertsDocument,
  'docs/runbook/metrics.md': metricsDocument,
  'docs/ARCHITECTURE.md': () =>
    withPart('docs/ARCHITECTURE.md', `<!-- ${BEGIN} -->`, `<!-- ${END} -->`, unformatted(roomsTable())),
  'docs/decisions/README.md': () =>
    withPart(
      'docs/decisions/README.md',
      '<!-- Records, from their headings by npm run generate. -->',
      '<!-- End of records. -->',
      unformatted(decisions()),
    ),
  'docs/webhooks.md': () =>
    withPart(
      'docs/webhooks.md',
      '<!-- Events, from domain/events/catalogue.ts by npm run generate. -->',
      '<!-- End of events. -->',
      unformatted(eventsTable()),
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
  const wanted = await make();
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
