import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A repository that real git serves by `git http-backend`, to whoever knows the password. */
export interface GitServer {
  readonly host: string;
  readonly url: string;
  /** The folder of the bare repository. */
  readonly folder: string;
  password: string;
  /** Called before each request; it may answer, and returns whether it did. */
  before: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;
  /** Whether to cut the connection after a push has arrived, before its answer. */
  cutsAnswers: boolean;
  /** Paths of the requests so far. */
  readonly requests: string[];
  /** Runs git in the repository. */
  git(...args: readonly string[]): Promise<string>;
  /** The files of the branch. */
  files(branch?: string): Promise<Record<string, string>>;
  /** Commits a file, or its removal, like a person. */
  commit(path: string, text: string | null, branch?: string): Promise<void>;
  /** How many commits the branch has. */
  commits(branch?: string): Promise<number>;
  close(): Promise<void>;
}

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** @param empty whether it has no commit */
export async function startGitServer({ empty = false } = {}): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'test-git-server-'));
  const folder = join(root, 'blog.git');
  const env = { ...process.env, ...identity };
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run('git', ['-C', folder, ...args], { env })).stdout;
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder], { env });
  for (const setting of ['http.receivepack', 'uploadpack.allowFilter']) await git('config', setting, 'true');

  const server: GitServer = {
    host: '',
    url: '',
    folder,
    password: 'a password',
    before: () => false,
    cutsAnswers: false,
    requests: [],
    git,
    async files(branch = 'main') {
      const names = (await git('ls-tree', '-r', '-z', '--name-only', branch)).split('\0').filter(Boolean);
      const texts = await Promise.all(names.map((name) => git('show', `${branch}:${name}`)));
      return Object.fromEntries(names.map((name, index) => [name, texts[index] as string]));
    },
    async commit(path, text, branch = 'main') {
      const work = await mkdtemp(join(root, 'work-'));
      const there = (...args: readonly string[]) => run('git', ['-C', work, ...args], { env });
      await run('git', ['clone', '--quiet', folder, work], { env });
      await there('checkout', '--quiet', '-B', branch);
      if (text === null) await there('rm', '--quiet', path);
      else {
        await run('mkdir', ['-p', join(work, path, '..')]);
        await writeFile(join(work, path), text);
        await there('add', path);
      }
      await there('commit', '--quiet', '-m', 'By hand');
      await there('push', '--quiet', 'origin', branch);
      await rm(work, { recursive: true });
    },
    async commits(branch = 'main') {
      return Number(await git('rev-list', '--count', branch));
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await rm(root, { recursive: true });
    },
  };
  const http = createServer(async (request, response) => {
    server.requests.push(`${request.method} ${request.url}`);
    if (await server.before(request, response)) return;
    const expected = `Basic ${Buffer.from(`git:${server.password}`).toString('base64')}`;
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const cut = server.cutsAnswers && request.method === 'POST' && request.url?.includes('receive-pack');
    serve(root, request, response, cut === true);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  Object.assign(server, { host, url: `http://${host}/blog.git` });
  if (!empty) await server.commit('README.md', '# A blog\n');
  return server;
}

/** Passes a request to `git http-backend` by CGI. */
function serve(root: string, request: IncomingMessage, response: ServerResponse, cut: boolean): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://git');
  const backend = spawn('git', ['http-backend'], {
    env: {
      ...process.env,
      ...identity,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'git',
    },
  });
  const chunks: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  backend.stdin.on('error', () => {});
  request.pipe(backend.stdin);
  backend.on('close', () => {
    if (cut) return void request.socket.destroy();
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    for (const line of output.subarray(0, end).toString('latin1').split('\r\n')) {
      const colon = line.indexOf(':');
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
      if (name.toLowerCase() === 'status') response.statusCode = Number(value.slice(0, 3));
      else response.setHeader(name, value);
    }
    response.end(output.subarray(end + 4));
  });
}
