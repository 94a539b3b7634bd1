import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredPost {
  id: string;
  slug: string;
  title: string;
  html: string;
  status: string;
  updated_at: string;
  url: string;
  [member: string]: unknown;
}

/** Ghost's Admin API after its documentation, as strict as that. */
export interface GhostServer {
  readonly host: string;
  readonly url: string;
  key: string;
  readonly posts: Map<string, StoredPost>;
  /** Uploaded images by their paths. */
  readonly images: Map<string, Buffer>;
  /** `METHOD path` of each request. */
  readonly requests: string[];
  /** An answer in place of the own one. */
  answer: { status: number; headers?: Record<string, string> } | null;
  /** Cuts the connection after the write of this method, before its answer. */
  cutAfter: 'POST' | 'PUT' | null;
  /** Called before a write, such as to change a post at that moment. */
  beforeWrite: () => void;
  /** Changes a post like a person. */
  edit(slug: string, values: object): void;
  close(): Promise<void>;
}

const newKey = (): string => `${randomBytes(12).toString('hex')}:${randomBytes(32).toString('hex')}`;

const members = new Set([
  'title',
  'slug',
  'html',
  'status',
  'published_at',
  'custom_excerpt',
  'feature_image',
  'feature_image_alt',
  'meta_title',
  'meta_description',
  'tags',
  'updated_at',
]);

export async function startGhostServer(): Promise<GhostServer> {
  let moment = Date.parse('2026-01-01T00:00:00Z');
  const now = (): string => new Date((moment += 1_000)).toISOString();
  const bySlug = (slug: string) => [...ghost.posts.values()].find((post) => post.slug === slug);
  const ghost: GhostServer = {
    host: '',
    url: '',
    key: newKey(),
    posts: new Map(),
    images: new Map(),
    requests: [],
    answer: null,
    cutAfter: null,
    beforeWrite: () => {},
    edit(slug, values) {
      const post = bySlug(slug);
      if (post === undefined) throw new Error(`No post ${slug}`);
      ghost.posts.set(post.id, { ...post, ...values, updated_at: now() });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  /** Slugs are unique: the second gets a number. */
  const freeSlug = (slug: string, id: string): string => {
    for (let number = 1; ; number++) {
      const wanted = number === 1 ? slug : `${slug}-${number}`;
      const other = bySlug(wanted);
      if (other === undefined || other.id === id) return wanted;
    }
  };
  const stored = (id: string, before: object, sent: Record<string, unknown>): StoredPost => {
    const slug = freeSlug(String(sent['slug'] ?? (before as StoredPost).slug).replace(/-$/, ''), id);
    const post = {
      ...before,
      ...sent,
      id,
      slug,
      updated_at: now(),
      url: `${ghost.url}/${slug}/`,
    } as StoredPost;
    // Ghost stores another form, and makes HTML of it anew.
    post.html = post.html.replaceAll('&#x26;', '&amp;').replaceAll('\n', '');
    ghost.posts.set(id, post);
    return post;
  };

  const handle = (
    method: string,
    path: string,
    query: URLSearchParams,
    type: string,
    body: Buffer,
  ): [number, object] => {
    if (method === 'GET' && path === '/site/') return [200, { site: { title: 'A Ghost' } }];
    if (method === 'GET' && path === '/posts/')
      return [200, { posts: [...ghost.posts.values()].slice(0, 1) }];
    if (method === 'POST' && path === '/images/upload/') return upload(type, body);
    const slug = /^\/posts\/slug\/([^/]+)\/$/.exec(path)?.[1];
    const id = /^\/posts\/([^/]+)\/$/.exec(path)?.[1];
    const found = slug === undefined ? ghost.posts.get(id ?? '') : bySlug(decodeURIComponent(slug));
    if (method === 'GET') return found ? [200, { posts: [found] }] : notFound();
    ghost.beforeWrite();
    const { posts } = JSON.parse(body.toString()) as { posts: Record<string, unknown>[] };
    const sent = posts[0] as Record<string, unknown>;
    const unknown = Object.keys(sent).filter((name) => !members.has(name));
    if (unknown.length > 0) return invalid(`Unknown: ${unknown.join()}`);
    if ('html' in sent && query.get('source') !== 'html') return invalid('html needs source=html');
    for (const [name, most] of Object.entries({
      title: 255,
      slug: 185,
      custom_excerpt: 300,
      meta_title: 300,
      meta_description: 500,
      feature_image_alt: 125,
    }))
      if (String(sent[name] ?? '').length > most)
        return invalid(`Value in [posts.${name}] exceeds maximum length of ${most} characters.`);
    if (method === 'POST' && path === '/posts/') {
      if (!sent['title']) return invalid('Title is required');
      return [201, { posts: [stored(randomBytes(12).toString('hex'), { status: 'draft', html: '' }, sent)] }];
    }
    const current = ghost.posts.get(id ?? '');
    if (method !== 'PUT' || current === undefined) return notFound();
    if (sent['updated_at'] !== current.updated_at)
      return [
        409,
        {
          errors: [
            { message: 'Saving failed! Someone else is editing this post.', type: 'UpdateCollisionError' },
          ],
        },
      ];
    return [200, { posts: [stored(current.id, current, sent)] }];
  };

  const upload = (type: string, body: Buffer): [number, object] => {
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(type)?.[1];
    const text = body.toString('latin1');
    const name = /name="file"; filename="([^"]+)"\r\nContent-Type: image\/\w+\r\n\r\n/.exec(text);
    if (boundary === undefined || name === null || !text.endsWith(`--${boundary}--\r\n`))
      return invalid('No form');
    const from = (name.index as number) + name[0].length;
    const path = `/content/images/${ghost.images.size + 1}-${name[1]}`;
    ghost.images.set(path, body.subarray(from, text.indexOf(`\r\n--${boundary}`, from)));
    return [201, { images: [{ url: `${ghost.url}${path}`, ref: null }] }];
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks)));
  });
  const answer = (request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://ghost');
    const method = request.method ?? '';
    const path = pathname.replace('/ghost/api/admin', '');
    ghost.requests.push(`${method} ${path}`);
    const [status, json] =
      ghost.answer !== null
        ? [ghost.answer.status, {}]
        : pathname === path || !request.headers['accept-version']
          ? notFound()
          : path !== '/site/' && !isSigned(request.headers.authorization, ghost.key)
            ? [401, { errors: [{ message: 'Unknown Admin API Key', type: 'UnauthorizedError' }] }]
            : handle(method, path, searchParams, request.headers['content-type'] ?? '', body);
    if (ghost.cutAfter === method && path.startsWith('/posts/')) return void request.socket.destroy();
    response
      .writeHead(status as number, { 'content-type': 'application/json', ...ghost.answer?.headers })
      .end(JSON.stringify(json));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(ghost, { host, url: `http://${host}` });
}

const notFound = (): [number, object] => [
  404,
  { errors: [{ message: 'Resource not found error, cannot read post.', type: 'NotFoundError' }] },
];
const invalid = (message: string): [number, object] => [
  422,
  { errors: [{ message: 'Validation error, cannot save post.', context: message, type: 'ValidationError' }] },
];

/** https://docs.ghost.org/admin-api/#token-authentication */
function isSigned(authorization: string | undefined, key: string): boolean {
  const [scheme, token = ''] = (authorization ?? '').split(' ');
  const [head = '', body = '', mac = ''] = token.split('.');
  const [kid, secret = ''] = key.split(':');
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString() || '{}') as Record<string, any>;
  const expected = createHmac('sha256', Buffer.from(secret, 'hex')).update(`${head}.${body}`).digest();
  const given = Buffer.from(mac, 'base64url');
  const { alg, kid: named } = read(head);
  const { iat, exp, aud } = read(body);
  const valid = alg === 'HS256' && named === kid && aud === '/admin/' && exp - iat <= 300;
  return scheme === 'Ghost' && valid && given.length === expected.length && timingSafeEqual(given, expected);
}
