import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import type { SeededSite } from './seed.ts';
import { createTexts } from './texts.ts';

/** The speed of an import, compared with bare requests that create as many articles. */
export interface ImportSpeed {
  readonly articles: number;
  /** Articles a second, from the start of the command to its end. Each is created and then published. */
  readonly perSecond: number;
  readonly completed: boolean;
  /** The export of the whole Site afterwards, with the seed. */
  readonly exported: { readonly articles: number; readonly perSecond: number };
}

const CONCURRENCY = 16;
const texts = createTexts(50, 2_000);

/**
 * Imports published articles into a Site with the command in its own process, then exports the Site. One key may write
 * 120 times a minute, so the commands use a proxy to the API that sends the keys of the Site in turn.
 */
export async function measureImport(
  origin: string,
  { keys }: SeededSite,
  folder: string,
  articles: number,
): Promise<ImportSpeed> {
  const file = join(folder, 'import.json');
  writeFileSync(file, JSON.stringify(importFile(articles)));
  const way = await startKeysInTurn(origin, keys);
  try {
    const access = ['--base-url', `${way.origin}/v1`, '--key', keys[0] as string];
    const imported = await timed<{ created?: number }>('import', [
      file,
      ...access,
      '--concurrency',
      String(CONCURRENCY),
    ]);
    const out = join(folder, 'export.json');
    const exported = await timed<{ articles?: number }>('export', [...access, '--out', out]);
    const { articles: written = 0 } = exported.report;
    return {
      articles,
      perSecond: articles / imported.seconds,
      completed: imported.report.created === articles,
      exported: { articles: written, perSecond: written / exported.seconds },
    };
  } finally {
    way.close();
  }
}

function importFile(articles: number): object {
  const run = Date.now();
  return {
    format: 'service-import',
    version: 1,
    articles: Array.from({ length: articles }, (_, index) => ({
      external_id: `import-${run}-${index}`,
      status: 'published',
      title: `Imported ${run} ${index}`,
      slug: `imported-${run}-${index}`,
      content: texts[index % texts.length],
      excerpt: 'In a sentence or two.',
      published_at: '2020-01-02T03:04:05Z',
    })),
  };
}

/** Runs a command that prints a report. A command that fails prints none. */
async function timed<Report extends object>(
  command: string,
  args: readonly string[],
): Promise<{ report: Report | Record<string, never>; seconds: number }> {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(root, 'cli/main.ts'), command, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await once(child, 'close');
  const seconds = (performance.now() - begun) / 1_000;
  return { report: out === '' ? {} : (JSON.parse(out) as Report), seconds };
}

/** Forwards requests, each with the next key. */
async function startKeysInTurn(
  origin: string,
  keys: readonly string[],
): Promise<{ origin: string; close: () => void }> {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const authorization = `Bearer ${keys[(turn += 1) % keys.length]}`;
    const options = { agent, hostname, port, method, path, headers: { ...headers, authorization } };
    const onward = request(options, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
      answered.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

/** @param createsPerSecond of bare requests in the same run */
export function formatImport(
  { articles, perSecond, completed, exported }: ImportSpeed,
  createsPerSecond: number | undefined,
): string {
  const beside = createsPerSecond
    ? `; ${Math.round((100 * perSecond) / createsPerSecond)} % of ${Math.round(createsPerSecond)} bare creates/s`
    : '';
  const failed = completed ? '' : ' (not all of them were imported)';
  return [
    `import of ${articles} published articles: ${Math.round(perSecond)} articles/s${beside}${failed}`,
    `export of ${exported.articles} articles: ${Math.round(exported.perSecond)} articles/s`,
  ].join('\n');
}
