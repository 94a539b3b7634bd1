import { createBlog } from './blog.ts';

/** For answers that are under way when the process is told to stop. */
const GRACE_MS = 10_000;

function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  console.error(`Set ${name}; see README.md.`);
  process.exit(2);
}

const server = createBlog({
  baseUrl: required('PRESSWORK_BASE_URL'),
  apiKey: required('PRESSWORK_API_KEY'),
  commentKey: process.env['PRESSWORK_COMMENT_KEY'] || undefined,
  webhookSecret: process.env['PRESSWORK_WEBHOOK_SECRET'] || undefined,
  behindProxy: process.env['BEHIND_PROXY'] === 'on',
});
const port = Number(process.env['PORT'] || 4000);
const host = process.env['HOST'] || '127.0.0.1';
server.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.listen(port, host, () => console.log(`The blog is at http://${host}:${port}`));

function stop(): void {
  if (!server.listening) return;
  server.close(() => process.exit(0));
  setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
}

// A terminal and the program that started this one may both tell it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
