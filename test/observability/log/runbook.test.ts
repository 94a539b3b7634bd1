import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../runtime/home.ts';
import { wholeRunbook } from '../../support/runbook.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What PostgreSQL, its driver, Temporal and the AWS SDK say. */
const ofOthers = [
  /^current transaction is aborted$/,
  /^(canceling statement|terminating connection) due to /,
  /^cannot execute … in a read-only transaction$/,
  /^timeout exceeded when trying to connect$/,
  /^Connection terminated due to connection timeout$/,
  /^Query read timeout$/,
  /^Failed to signalWithStart Workflow$/,
  /^Could not load credentials from any providers$/,
];

/** The text of the product's code, with its lines joined and what it puts into messages as `…`. */
const code = [
  'activities',
  'adapters',
  'api',
  'cli',
  'db',
  'domain',
  'observability',
  'packages',
  'runtime',
  'worker',
  'workflows',
]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.ts'))
  .map(read)
  .join('\n')
  .replaceAll(/\s+/g, ' ')
  .replaceAll(/\$\{[^}]*\}/g, '…');

/** Words of a message in prose, not commands, queries or names. */
const looksLikeMessage = (text: string): boolean =>
  /^[A-Za-z][\w ,.;:…'’()-]*$/.test(text) &&
  text.split(' ').length >= 3 &&
  !/^(GET|POST|PATCH|PUT|DELETE|npx|npm|presswork|docker|kubectl|node|psql|select|create|admin) /.test(text);

test('every message that the runbook quotes is one that something says', () => {
  const prose = wholeRunbook.replaceAll(/```.*?```/gs, '');
  const quoted = [
    ...new Set([...prose.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll(/\s+/g, ' '))),
  ];
  const messages = quoted.filter(looksLikeMessage);
  expect(messages.length).toBeGreaterThan(30);
  const unknown = messages.filter(
    (message) =>
      !ofOthers.some((pattern) => pattern.test(message)) &&
      !message
        .split(/…|\b\d[\d,]*\b/)
        .map((part) => part.trim())
        .every((part) => code.includes(part)),
  );
  expect(unknown).toEqual([]);
});
