import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { root } from '../dev/home.ts';
import type { SeededSite } from './seed.ts';
import { createTexts } from './texts.ts';

/** How fast an import is, beside bare requests that create as many articles. */
export interface ImportSpeed {
  readonly articles: number;
  /** Articles a second, from the start of the command to its end. Each is created and then published. */
  readonly perSecond: number;
  readonly completed: boolean;
}

const CONCURRENCY = 16;
const texts = createTexts(50, 2_000);

/**
 * Imports published articles into a Site, by the command as a process of its own. One key may write 120 times a
 * minute, so the command is given a way to the API that sends the keys of the Site in turn.
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
    const begun = performance.now();
    const report = await runImport([
      file,
      '--base-url',
      `${way.origin}/v1`,
      '--key',
      keys[0] as string,
      '--concurrency',
      String(CONCURRENCY),
    ]);
    const seconds = (performance.now() - begun) / 1_000;
    return { articles, perSecond: articles / seconds, completed: report.created === articles };
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

async function runImport(args: readonly string[]): Promise<{ created: number }> {
  const child = spawn(process.execPath, [join(root, 'cli/main.ts'), 'import', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await once(child, 'close');
  return out === '' ? { created: 0 } : (JSON.parse(out) as { created: number });
}

/** Passes requests on, each with the next of the keys. */
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
  { articles, perSecond, completed }: ImportSpeed,
  createsPerSecond: number | undefined,
): string {
  const beside = createsPerSecond
    ? `; ${Math.round((100 * perSecond) / createsPerSecond)} % of ${Math.round(createsPerSecond)} bare creates/s`
    : '';
  const failed = completed ? '' : ' (it did not bring all of them in)';
  return `import of ${articles} published articles: ${Math.round(perSecond)} articles/s${beside}${failed}`;
}
