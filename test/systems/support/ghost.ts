import type { ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../tools/dev/processes.ts';
import { ghostFolder, ghostNode } from '../../../tools/dev/systems.ts';
import { end, freePort, imagesIn, start } from './processes.ts';
import { startProxy } from './proxy.ts';
import type { Proxy } from './proxy.ts';

/** A post as Ghost's editor has it. */
export interface GhostPost {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly html: string;
  readonly status: string;
  readonly updated_at: string;
  readonly published_at: string;
  readonly tags: readonly { readonly name: string }[];
  readonly [member: string]: unknown;
}

/** Ghost itself, with its owner's session for what a person does there. */
export interface Ghost {
  readonly proxy: Proxy;
  posts(): Promise<readonly GhostPost[]>;
  /** Calls its Admin API as the owner, past the proxy. */
  call(method: string, path: string, body?: object): Promise<any>;
  /** A key of a new integration. */
  newKey(): Promise<{ readonly key: string; readonly integrationId: string }>;
  images(): Promise<readonly Buffer[]>;
  close(): Promise<void>;
}

/** It makes its database first, which takes minutes on a busy machine. */
const STARTED_MS = 400_000;
const password = 'correct-horse-battery';

export async function startGhost(): Promise<Ghost> {
  const port = await freePort();
  const proxy = await startProxy(
    () => port,
    (path) => path.includes('/admin/posts/'),
  );
  const folder = await mkdtemp(join(tmpdir(), 'presswork-ghost-'));
  await cp(join(ghostFolder(), 'content'), folder, { recursive: true });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    NODE_ENV: 'development',
    url: proxy.url,
    server__host: '127.0.0.1',
    server__port: String(port),
    database__client: 'better-sqlite3',
    database__connection__filename: join(folder, 'ghost.db'),
    paths__contentPath: folder,
    mail__transport: 'stub',
    privacy__useUpdateCheck: 'false',
    privacy__useGravatar: 'false',
    privacy__useRpcPing: 'false',
    security__staffDeviceVerification: 'false',
    logging__level: 'error',
  };
  const server: ChildProcess = start(ghostNode(), ['index.js'], { cwd: ghostFolder(), env });
  const admin = `http://127.0.0.1:${port}/ghost/api/admin`;
  const site = () =>
    fetch(`${admin}/site/`).then(
      (answer) => answer.ok,
      () => false,
    );
  if (!(await until(site, STARTED_MS, 300))) throw new Error('Ghost has not started');

  let cookie = '';
  const call: Ghost['call'] = async (method, path, body) => {
    const answer = await fetch(`${admin}${path}`, {
      method,
      headers: { 'content-type': 'application/json', origin: proxy.url, 'accept-version': 'v6.0', cookie },
      ...(body && { body: JSON.stringify(body) }),
    });
    cookie ||= answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return text.startsWith('{') ? JSON.parse(text) : null;
  };
  const owner = { name: 'Ada', email: 'ada@example.com', password, blogTitle: 'A Ghost' };
  await call('POST', '/authentication/setup/', { setup: [owner] });
  await call('POST', '/session/', { username: owner.email, password });
  return {
    proxy,
    call,
    posts: async () => (await call('GET', '/posts/?limit=100&formats=html&include=tags')).posts,
    async newKey() {
      const created = await call('POST', '/integrations/?include=api_keys', {
        integrations: [{ name: `Presswork ${Date.now()}` }],
      });
      const [{ id: integrationId, api_keys: keys }] = created.integrations;
      return { integrationId, key: keys.find(({ type }: { type: string }) => type === 'admin').secret };
    },
    images: () => imagesIn(join(folder, 'images')),
    async close() {
      await end(server);
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
