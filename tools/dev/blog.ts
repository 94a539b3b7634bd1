import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { homeFolder, readJson, root } from '../../runtime/home.ts';
import { Presswork, PressworkError } from '../../sdk/src/index.ts';
import { blogEvents, ensureBlogAccess } from './blog-access.ts';
import type { BlogAccess } from './blog-access.ts';
import { StartError } from './home.ts';

/**
 * Runs the example blog beside `npm start`: makes what it needs through the API once, and starts it with that. The Site
 * is the demo's, or that of PRESSWORK_SECRET_KEY at PRESSWORK_BASE_URL.
 */
const home = homeFolder();
const port = process.env['BLOG_PORT'] || '4000';
const children: ChildProcess[] = [];
let ending = false;

async function main(): Promise<void> {
  const demo = readJson<{ base_url: string; secret_key: string }>(join(home, 'demo.json'));
  const baseUrl = process.env['PRESSWORK_BASE_URL'] || demo?.base_url;
  const apiKey = process.env['PRESSWORK_SECRET_KEY'] || demo?.secret_key;
  if (!baseUrl || !apiKey)
    throw new StartError('Run npm start first, or set PRESSWORK_BASE_URL and PRESSWORK_SECRET_KEY.');
  const owner = new Presswork({ apiKey, baseUrl, maxRetries: 1 });
  const access = await ensureBlogAccess(join(home, 'blog.json'), owner, baseUrl, `http://127.0.0.1:${port}`);
  const { enabled } = await owner.comments.getSettings();

  const blog = run('examples/blog/main.ts', [], {
    PORT: port,
    HOST: '127.0.0.1',
    PRESSWORK_BASE_URL: baseUrl,
    PRESSWORK_API_KEY: access.publishable_key,
    PRESSWORK_COMMENT_KEY: access.comment_key,
    PRESSWORK_WEBHOOK_SECRET: access.webhook_secret,
  });
  blog.once('exit', (code) => end(code ?? 1));
  if (access.webhook_id === null) listen(access);
  if (!enabled) console.log('Comments of this Site are off; the dashboard turns them on under Settings.');
}

/** What deliveries would bring, for a Site that may not deliver to this machine. */
function listen(access: BlogAccess): void {
  const to = ['--forward-to', `${access.url}/_webhooks`, '--secret', access.webhook_secret];
  const from = ['--base-url', access.base_url, '--key', access.event_key, '--events', blogEvents.join(',')];
  run('cli/main.ts', ['listen', ...to, ...from]);
}

function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [join(root, file), ...args], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  children.push(child);
  return child;
}

function end(code: number): void {
  if (ending) return;
  ending = true;
  for (const child of children) child.kill('SIGTERM');
  process.exitCode = code;
  // The channel to the launcher would keep this process.
  if (process.connected) process.disconnect();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
process.on('disconnect', () => end(0));

main().catch((error: unknown) => {
  const isAway = error instanceof PressworkError && error.code === 'CONNECTION_FAILED';
  const message = isAway ? 'Presswork cannot be reached. Run npm start first.' : String(error);
  console.error(error instanceof StartError ? error.message : message);
  end(1);
});
